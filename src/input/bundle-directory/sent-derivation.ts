// How does a bundle get from the thread that read it to another? As plain data. Manifests are held as bytes, which are handed
// over and not copied; those that several bundles share arrive as one.

import type { Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { type HeldManifest, heldOf } from "../../model/held-manifest.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { PlacedDocument } from "../document.ts";
import type { Derivation } from "./derive-bundle.ts";
import { heldProperty } from "./manifest-property.ts";

/** A property, or the manifest that it holds. */
type SentProperty = Property | { readonly held: HeldManifest };

/** A document without its properties, and these. */
interface SentDocument extends PlacedDocument {
  readonly properties: readonly SentProperty[];
}

/** A bundle as it is sent. */
export interface SentDerivation extends Omit<Derivation, "document"> {
  readonly document: SentDocument | undefined;
}

/** A bundle for another thread. */
export function sentDerivation({ document, ...derivation }: Derivation): SentDerivation {
  if (document === undefined) return { ...derivation, document };
  const { properties, ...value } = document.value;
  const sent = (properties as unknown as readonly Property[]).map((property): SentProperty => {
    const held = heldOf(property.value as JsonObject);
    return held === undefined ? property : { held };
  });
  return { ...derivation, document: { value, place: document.place, properties: sent } };
}

/** The bundles that another thread sent together. */
export function receivedDerivations(sent: Iterable<readonly [string, SentDerivation]>): Map<string, Derivation> {
  const known = new Map<HeldManifest, Property>();
  const propertyOf = (property: SentProperty): Property =>
    "held" in property ? getOrAdd(known, property.held, () => heldProperty(property.held)) : property;
  const documentOf = ({ place, value, properties }: SentDocument): PlacedDocument => {
    const list = properties.map(propertyOf) as unknown as readonly Json[];
    return { place, value: { ...value, properties: list } };
  };
  const bundles = new Map<string, Derivation>();
  for (const [directory, { document, ...derivation }] of sent)
    bundles.set(directory, { ...derivation, document: document && documentOf(document) });
  return bundles;
}

/** The memory of the manifests, to be handed over. */
export function buffersOf(sent: Iterable<SentDerivation>): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { document } of sent)
    for (const property of document?.properties ?? [])
      if ("held" in property) buffers.add(property.held.bytes.buffer as ArrayBuffer);
  return [...buffers];
}
