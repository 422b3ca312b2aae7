import { expect, test } from "vitest";
import { bundle, catalogOf, LANTERN } from "../../../test/catalog/lantern-catalog.ts";
import { find } from "../../catalog/find.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import { missingText } from "../sentence/not-in-catalog.ts";
import { catalogReport } from "./report.ts";

function report(argument: string | undefined, catalogs: readonly Catalog[] = [catalogOf(LANTERN)]): JsonObject {
  const found = find(catalogs, argument);
  if (found.kind === "missing") throw new Error(missingText(found));
  return catalogReport(found);
}

const OVERVIEW: JsonObject = {
  apiVersion: "plimsoll.dev/v1alpha1",
  kind: "CatalogReport",
  inputFindings: [],
  catalogs: [{ name: "harbour", packages: 1, channels: 2, bundles: 4, dropped: 0 }],
  packages: [
    {
      catalog: "harbour",
      name: "lantern",
      defaultChannel: "stable",
      channels: [
        { name: "fast", head: "lantern.v2.0.0", entries: 1 },
        { name: "stable", head: "lantern.v2.0.0", entries: 5 },
      ],
    },
  ],
};

const STABLE: JsonObject = {
  name: "stable",
  head: "lantern.v2.0.0",
  deprecation: null,
  entries: [
    {
      name: "lantern.v2.0.0",
      version: "2.0.0",
      replaces: "lantern.v1.2.0",
      skips: ["lantern.v1.9.0", "lantern.v0.1.0"],
      skipRange: null,
    },
    {
      name: "lantern.v1.2.0",
      version: "1.2.0",
      replaces: "lantern.v1.1.0",
      skips: [],
      skipRange: ">=1.0.0 <1.2.0",
    },
    { name: "lantern.v1.1.0", version: null, replaces: "lantern.v1.0.0", skips: [], skipRange: null },
    {
      name: "lantern.v1.0.0",
      version: "1.0.0",
      replaces: "lamp.v9.9.9",
      skips: [],
      skipRange: null,
      deprecated: true,
    },
    { name: "lantern.v1.9.0", version: "1.9.0", replaces: "lantern.v1.2.0", skips: [], skipRange: null },
  ],
  at: "catalog.yaml:2:1",
};

const PACKAGE: JsonObject = {
  name: "lantern",
  catalog: "harbour",
  alsoIn: [],
  description: "",
  defaultChannel: "stable",
  deprecation: null,
  head: "lantern.v2.0.0",
  provides: { apis: [], labels: [] },
  requires: {
    apis: [],
    packages: [{ name: "lamp-oil", versionRange: ">=0.2.0" }],
    labels: [],
    constraints: [{ kind: "cel", message: "quiet", action: "conflict", optional: false }],
  },
  channels: [
    {
      name: "fast",
      head: "lantern.v2.0.0",
      deprecation: "use stable",
      entries: [{ name: "lantern.v2.0.0", version: "2.0.0", replaces: null, skips: [], skipRange: null }],
      at: "catalog.yaml:3:1",
    },
    STABLE,
  ],
  bundles: ["2.0.0", "1.9.0", "1.2.0", "1.0.0"].map((version) => ({
    name: `lantern.v${version}`,
    version,
    image: `example.com/lantern:v${version}`,
    channels: version === "2.0.0" ? ["fast", "stable"] : ["stable"],
  })),
  at: "catalog.yaml:1:1",
};

test("everything", () => {
  expect(report(undefined)).toEqual(OVERVIEW);
  expect(report(undefined, [])).toMatchObject({ catalogs: [], packages: [] });
});

test("a package, or one of its channels, in full", () => {
  expect(report("lantern")).toEqual({ ...OVERVIEW, package: PACKAGE });
  expect(report("lantern/stable")).toEqual({ ...OVERVIEW, package: PACKAGE, channel: STABLE });
});

test("a bundle in full", () => {
  expect(report("lantern@1.2.0")).toEqual({
    ...OVERVIEW,
    bundle: {
      name: "lantern.v1.2.0",
      package: "lantern",
      catalog: "harbour",
      alsoIn: [],
      version: "1.2.0",
      release: null,
      image: "example.com/lantern:v1.2.0",
      relatedImages: [],
      deprecation: null,
      channels: [
        {
          name: "stable",
          isHead: false,
          replaces: "lantern.v1.1.0",
          skips: [],
          skipRange: ">=1.0.0 <1.2.0",
          replacedBy: ["lantern.v2.0.0", "lantern.v1.9.0"],
          skippedBy: [],
          inSkipRangeOf: [],
        },
      ],
      provides: { apis: [{ group: "g", version: "v1", kind: "Lamp" }], labels: [] },
      requires: { apis: [], packages: [], labels: [], constraints: [] },
      properties: [
        { type: "olm.package", value: { packageName: "lantern", version: "1.2.0" } },
        { type: "olm.gvk", value: { group: "g", kind: "Lamp", version: "v1" } },
      ],
      at: "catalog.yaml:5:1",
    },
  });
});

test("what several catalogs have is shown from the first, and the others are named", () => {
  const catalogs = [catalogOf(LANTERN, "b"), catalogOf(LANTERN, "a")];
  expect(report("lantern", catalogs).package).toMatchObject({ catalog: "a", alsoIn: ["b"] });
  expect(report("b/lantern@1.9.0", catalogs).bundle).toMatchObject({ catalog: "b", alsoIn: ["a"] });
});

test("what was left out is counted", () => {
  const catalogs = [catalogOf([...LANTERN, bundle("lantern", "0.0.1"), bundle("nowhere", "1.0.0")])];
  // A bundle in no channel; a bundle and the package that it claims to belong to.
  expect(report(undefined, catalogs).catalogs).toMatchObject([{ bundles: 4, dropped: 3 }]);
});

test("a requirement that cannot be read keeps its kind and message, and has a problem", () => {
  const properties = [
    { type: "olm.package.required", value: { packageName: "wick", versionRange: "newest" } },
    { type: "olm.constraint", value: { failureMessage: "dim", cel: { rule: "tru(" }, action: { id: "conflict" } } },
    { type: "olm.constraint", value: { nonsense: true } },
  ];
  const lamp = [
    { schema: "olm.package", name: "lamp", defaultChannel: "stable" },
    { schema: "olm.channel", package: "lamp", name: "stable", entries: [{ name: "lamp.v1.0.0" }] },
    bundle("lamp", "1.0.0", properties),
  ];
  const problem = expect.any(String);
  expect(report("lamp@1.0.0", [catalogOf(lamp)]).bundle).toMatchObject({
    requires: {
      apis: [],
      packages: [{ name: "wick", versionRange: "newest", problem }],
      labels: [],
      constraints: [
        { kind: "cel", message: "dim", action: "conflict", optional: false, problem },
        { kind: "unknown", message: null, action: "require", optional: false, problem },
      ],
    },
  });
});
