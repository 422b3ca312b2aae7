// How do whole catalogs become catalogs of worlds? With CRDs that no update refuses; and as they were when a world began.

import type { JsonObject } from "../../../../src/model/json.ts";
import { type Api, apisIn, NOT_SERVED } from "../bundle-manifests.ts";

/** CRDs with every version that any bundle provides: no update removes a version in which objects may be stored. */
export function withAllVersions(documents: readonly JsonObject[]): readonly JsonObject[] {
  const all = documents.flatMap((document) => apisIn(document, "olm.gvk"));
  return documents.map((document) => {
    const provided = apisIn(document, "olm.gvk");
    const others = all.filter(
      (api) => provided.some((one) => isOfKind(one, api)) && !provided.some((one) => isSame(one, api)),
    );
    const added = others.filter((api, at) => others.findIndex((one) => isSame(one, api)) === at);
    if (added.length === 0) return document;
    const properties = added.map((value) => ({ type: NOT_SERVED, value: { ...value } }));
    return { ...document, properties: [...(document.properties as readonly JsonObject[]), ...properties] };
  });
}

function isOfKind(a: Api, b: Api): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function isSame(a: Api, b: Api): boolean {
  return isOfKind(a, b) && a.version === b.version;
}

/** The catalog that has just these bundles, each alone in a channel of its package. */
export function only(
  documents: readonly JsonObject[],
  channel: string,
  bundles: readonly string[],
): readonly JsonObject[] {
  const found = documents.filter(({ schema, name }) => schema === "olm.bundle" && bundles.includes(`${name}`));
  const packages = found.flatMap((bundle) => [
    { schema: "olm.package", name: `${bundle.package}`, defaultChannel: channel },
    { schema: "olm.channel", package: `${bundle.package}`, name: channel, entries: [{ name: `${bundle.name}` }] },
  ]);
  return [...packages, ...found];
}
