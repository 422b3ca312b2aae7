// Which property holds a manifest of a bundle directory? `olm.bundle.object`, as in a catalog that opm renders from it.

import type { Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { type HeldManifest, heldBeginning, heldValue } from "../../model/held-manifest.ts";
import { canonicalText, type JsonObject } from "../../model/json.ts";
import { readOnlyDocument } from "../read-documents.ts";

/** The type of the property. */
export const MANIFEST = "olm.bundle.object";
/** Equal files of several versions have one value. */
const known = new WeakMap<JsonObject, Property>();

/** The property that holds a manifest. `file` is the text that it was read from, if there is nothing else in it. */
export function manifestProperty(manifest: JsonObject, file?: Uint8Array): Property {
  return getOrAdd(known, manifest, () => {
    const beginning = heldBeginning(manifest);
    if (file !== undefined) return heldProperty({ beginning, form: "file", bytes: file });
    return heldProperty({ beginning, form: "canonical", bytes: new TextEncoder().encode(canonicalText(manifest)) });
  });
}

/** The property of a manifest as it is held. */
export function heldProperty(held: HeldManifest): Property {
  return { type: MANIFEST, value: heldValue(held, textOf) };
}

function textOf({ form, bytes }: HeldManifest): string {
  return form === "canonical" ? new TextDecoder().decode(bytes) : canonicalText(readOnlyDocument(bytes));
}
