// A small catalog with everything that a channel can have, for tests of how things look.

import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import type { Catalog } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** The catalog that documents make. */
export function catalogOf(documents: readonly JsonObject[], name = "harbour"): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "catalog.yaml", line: index + 1, column: 1 });
  return builder.finish();
}

/** An `olm.bundle` document, with further fields if there are any. */
export function bundle(
  owner: string,
  version: string,
  properties: readonly JsonObject[] = [],
  more: JsonObject = {},
): JsonObject {
  return {
    schema: "olm.bundle",
    package: owner,
    name: `${owner}.v${version}`,
    image: `example.com/${owner}:v${version}`,
    properties: [{ type: "olm.package", value: { packageName: owner, version } }, ...properties],
    ...more,
  };
}

/** A channel with a skipped entry, a skip of something absent, a range, and a tail that replaces an unknown bundle. */
export const LANTERN_STABLE: JsonObject = {
  schema: "olm.channel",
  package: "lantern",
  name: "stable",
  entries: [
    { name: "lantern.v2.0.0", replaces: "lantern.v1.2.0", skips: ["lantern.v1.9.0", "lantern.v0.1.0"] },
    { name: "lantern.v1.9.0", replaces: "lantern.v1.2.0" },
    { name: "lantern.v1.2.0", replaces: "lantern.v1.1.0", skipRange: ">=1.0.0 <1.2.0" },
    { name: "lantern.v1.1.0", replaces: "lantern.v1.0.0" },
    { name: "lantern.v1.0.0", replaces: "lamp.v9.9.9" },
  ],
};

export const LANTERN: readonly JsonObject[] = [
  { schema: "olm.package", name: "lantern", defaultChannel: "stable" },
  LANTERN_STABLE,
  { schema: "olm.channel", package: "lantern", name: "fast", entries: [{ name: "lantern.v2.0.0" }] },
  bundle("lantern", "1.0.0", [{ type: "olm.deprecated", value: {} }]),
  bundle("lantern", "1.2.0", [{ type: "olm.gvk", value: { kind: "Lamp", group: "g", version: "v1" } }]),
  bundle("lantern", "1.9.0"),
  bundle("lantern", "2.0.0", [
    { type: "olm.package.required", value: { packageName: "lamp-oil", versionRange: ">=0.2.0" } },
    { type: "olm.constraint", value: { message: "quiet", cel: { rule: "true" }, action: { id: "conflict" } } },
  ]),
  {
    schema: "olm.deprecations",
    package: "lantern",
    entries: [{ reference: { schema: "olm.channel", name: "fast" }, message: "use stable" }],
  },
];
