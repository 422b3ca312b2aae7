// Where in the new CRD is a value shown that only the old one has?

import { expect, test } from "vitest";
import { definition, PLAIN, spec, type WrittenDefinition, winch } from "../../../test/crd/winches.ts";
import { printPath } from "../../model/place.ts";
import { checkUpgrade } from "../check-upgrade.ts";
import { NOTHING_KNOWN } from "./circumstances.ts";
import { placeInNew, placeOfSubject } from "./place-in-new.ts";

/** The places of the findings of a code: as found, and in the new CRD. */
function places(code: string, before: WrittenDefinition, after: WrittenDefinition) {
  const [old, now] = [definition({ ...before, source: "old.yaml" }), definition({ ...after, source: "new.yaml" })];
  const text = (place: ReturnType<typeof placeInNew>) => `${place.source} ${printPath(place.path ?? [])}`;
  return checkUpgrade(old, now, NOTHING_KNOWN)
    .filter((finding) => finding.code === code)
    .map((finding) => [text(finding.place), text(placeInNew(finding, old, now))]);
}

test("a version that is gone is shown at the versions that are left", () => {
  const before = { versions: { v1: "served", v2: "served storage" } };
  const after = { versions: { v2: "served storage" } };
  for (const code of ["CRD102", "CRD115"])
    expect(places(code, before, after)).toEqual([["old.yaml spec.versions[0].name", "new.yaml spec.versions"]]);
});

test("a removed field is shown at its siblings, even if its version has moved", () => {
  const before = { versions: { v1: "served storage", v2: "served" } };
  const after = { versions: { v2: "served", v1: { flags: "served storage", schema: spec({}) } } };
  const schema = "schema.openAPIV3Schema.properties.spec.properties";
  expect(places("CRD209", before, after)[0]).toEqual([
    `old.yaml spec.versions[0].${schema}.brake`,
    `new.yaml spec.versions[1].${schema}`,
  ]);
});

test("what the new definition has no part of is shown at the nearest part above it", () => {
  const before = { versions: { v1: "served storage", v2: "served" }, webhook: true };
  const after = { versions: { v1: "served storage", v2: "served" } };
  expect(places("CRD110", before, after)).toEqual([["old.yaml spec.conversion", "new.yaml spec"]]);
});

test("values of the new definition or of an object keep their place", () => {
  const [old, now] = [
    definition({ versions: { v1: "served storage" }, source: "old.yaml" }),
    definition({ versions: { v1: { flags: "served storage", schema: spec({ brake: { type: "integer" } }) } } }),
  ];
  const objects = [winch("old-faithful", "v1", { brake: "dog" })];
  const found = checkUpgrade(old, now, { ...NOTHING_KNOWN, objects });
  expect(found.map(({ code }) => code)).toEqual(["CRD201", "CRD301"]);
  for (const finding of found) expect(placeInNew(finding, old, now)).toEqual(finding.place);
});

test("in a list of definitions the way begins at the definition", () => {
  const list = (index: number, written: WrittenDefinition) => {
    const made = definition(written);
    return { ...made, place: { source: "list.yaml", line: 1, column: 1, path: ["items", index] } };
  };
  const old = list(0, { versions: { v1: "", v2: "served storage" }, stored: ["v2"] });
  const now = list(1, { versions: { v2: "served storage" } });
  const [finding] = checkUpgrade(old, now, NOTHING_KNOWN);
  if (finding === undefined) throw new Error("nothing was found");
  expect(finding.place.path).toEqual(["items", 0, "spec", "versions", 0, "name"]);
  expect(placeInNew(finding, old, now).path).toEqual(["items", 1, "spec", "versions"]);
});

test("an object without a file is shown at the schema of its version", () => {
  const now = definition({ versions: { v1: { flags: "served storage", schema: PLAIN } }, source: "new.yaml" });
  const [finding] = checkUpgrade(now, now, { ...NOTHING_KNOWN, objects: [winch("odd", "v1", { brake: 1 })] });
  if (finding === undefined) throw new Error("nothing was found");
  expect(placeOfSubject(finding, now)).toMatchObject({ source: "new.yaml", path: ["spec", "versions", 0, "schema"] });
});
