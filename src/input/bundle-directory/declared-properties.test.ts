// Do dependencies.yaml and properties.yaml become the properties that a catalog would have?

import { describe, expect, it } from "vitest";
import type { Property } from "../../model/catalog.ts";
import type { Finding } from "../../model/finding.ts";
import type { Json } from "../../model/json.ts";
import { readDependencies, readProperties } from "./declared-properties.ts";

const PLACE = { source: "metadata.yaml", line: 1, column: 1 };

function read(
  key: "dependencies" | "properties",
  entries: Json,
): { readonly properties: readonly Property[]; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = key === "dependencies" ? readDependencies : readProperties;
  const properties = reader([{ value: { [key]: entries }, place: PLACE }], (item) => findings.push(item));
  return { properties: [...properties.keys()], findings };
}

const GVK = { group: "g.example.com", version: "v1", kind: "K" };

describe("dependencies", () => {
  it.each<[string, Json, string, Json]>([
    ["olm.gvk", GVK, "olm.gvk.required", GVK],
    ["olm.gvk", { ...GVK, name: "ks" }, "olm.gvk.required", GVK],
    ["olm.gvk.required", GVK, "olm.gvk.required", GVK],
    [
      "olm.package",
      { packageName: "p", version: ">1.0.0" },
      "olm.package.required",
      { packageName: "p", versionRange: ">1.0.0" },
    ],
    [
      "olm.package",
      { packageName: "p", versionRange: ">1.0.0", version: "2.0.0" },
      "olm.package.required",
      { packageName: "p", versionRange: ">1.0.0" },
    ],
    ["olm.label", { label: "tidal" }, "olm.label.required", { label: "tidal" }],
    ["olm.constraint", { cel: { rule: "true" } }, "olm.constraint", { cel: { rule: "true" } }],
    // Case J36: OLM refuses a compound here, we do not.
    [
      "olm.constraint",
      { all: { constraints: [{ gvk: GVK }] } },
      "olm.constraint",
      { all: { constraints: [{ gvk: GVK }] } },
    ],
    ["olm.constraint", "anything", "olm.constraint", "anything"],
  ])("%s %j", (type, value, becomes, becoming) => {
    const { properties, findings } = read("dependencies", [{ type, value }]);
    expect(findings).toEqual([]);
    expect(properties).toEqual([{ type: becomes, value: becoming }]);
  });

  it.each<[Json, string]>([
    [null, "dependencies[0] cannot be read: it must be an object with type and value, but is null"],
    [{ value: GVK }, "dependencies[0] cannot be read: it has no type"],
    [{ type: "", value: GVK }, "dependencies[0] cannot be read: it has no type"],
    [{ type: 1, value: GVK }, "dependencies[0] cannot be read: its type must be text, but is a number"],
    [{ type: "olm.gvk" }, "dependencies[0] cannot be read: it has no value"],
    [
      { type: "olm.gvk", value: { ...GVK, kind: "" } },
      "dependencies[0] of type olm.gvk cannot be read: version and kind must not be empty",
    ],
    [
      { type: "olm.gvk", value: "K" },
      "dependencies[0] of type olm.gvk cannot be read: the value must be an object, but is text",
    ],
    [
      { type: "olm.package", value: { version: "1.0.0" } },
      "dependencies[0] of type olm.package cannot be read: packageName is missing",
    ],
    [
      { type: "olm.package", value: { packageName: "p" } },
      "dependencies[0] of type olm.package cannot be read: version is missing",
    ],
    [
      { type: "olm.package", value: { packageName: "p", version: 1 } },
      "dependencies[0] of type olm.package cannot be read: version must be text, but is a number",
    ],
    [{ type: "olm.label", value: {} }, "dependencies[0] of type olm.label cannot be read: label is missing"],
    [
      { type: "olm.pakage", value: {} },
      "dependencies[0] of type olm.pakage cannot be read: the type of a dependency is olm.gvk, olm.package, olm.label or olm.constraint",
    ],
  ])("%j is malformed", (entry, message) => {
    const { properties, findings } = read("dependencies", [entry]);
    expect(properties).toEqual([]);
    expect(findings).toMatchObject([{ code: "PL082", message, place: { path: ["dependencies", 0] } }]);
  });

  it("must be a list, if there are any", () => {
    expect(read("dependencies", null)).toEqual({ properties: [], findings: [] });
    const { findings } = read("dependencies", { type: "olm.gvk", value: GVK });
    expect(findings).toMatchObject([{ code: "PL082", message: "dependencies must be a list, but is an object" }]);
  });

  it("do not spoil each other", () => {
    const { properties, findings } = read("dependencies", [{ type: "olm.gvk" }, { type: "olm.gvk", value: GVK }]);
    expect(properties).toHaveLength(1);
    expect(findings).toHaveLength(1);
  });
});

describe("properties", () => {
  it("are taken as they are, but an API is only group, version and kind", () => {
    const entries = [
      { type: "harbour.tidal", value: { semidiurnal: true } },
      { type: "olm.maxOpenShiftVersion", value: "4.19" },
      { type: "olm.constraint", value: { any: { constraints: [] } } },
      { type: "harbour.nothing", value: null },
      { type: "olm.package.required", value: { packageName: "p", versionRange: "1.0.0" } },
    ];
    expect(read("properties", entries).properties).toEqual(entries);
    const api = read("properties", [{ type: "olm.gvk", value: { ...GVK, plural: "ks" } }]);
    expect(api.properties).toEqual([{ type: "olm.gvk", value: GVK }]);
  });

  it("of a known type must fit it", () => {
    const { findings } = read("properties", [
      { type: "a", value: 1 },
      { type: "olm.package", value: { version: "1.0.0" } },
    ]);
    expect(findings).toMatchObject([
      {
        code: "PL082",
        message: "properties[1] of type olm.package cannot be read: packageName is missing",
        place: { path: ["properties", 1] },
      },
    ]);
  });
});
