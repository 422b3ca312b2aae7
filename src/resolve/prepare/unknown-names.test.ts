import { expect, test } from "vitest";
import { PROBLEM, request } from "../../../test/resolve/sample-resolution.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { Problem, Request } from "../../model/problem.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { unknownName, unknownNames } from "./unknown-names.ts";

function texts(one: Request, more: Partial<Problem> = {}): readonly string[] {
  return unknownNames({ ...PROBLEM, requests: [one], ...more }).map(
    (one) => `${one.code}: ${warningText(one, byName)}`,
  );
}

const UNAVAILABLE = [{ name: "partner", priority: 0, reason: "it could not be loaded" }];

test.each([
  [request("lantern", { channel: "stable" }), []],
  [request("lantren"), ['unknown-package: catalog harbour has no package "lantren"; did you mean lantern?']],
  [request("zebra"), ['unknown-package: catalog harbour has no package "zebra"']],
  [
    request("lantern", { channel: "stabel" }),
    ['unknown-channel: package lantern has no channel "stabel"; did you mean stable?'],
  ],
  [
    request("lantern", { catalog: { name: "harbor" } }),
    ['unknown-catalog: there is no catalog "harbor"; did you mean harbour?'],
  ],
  [
    request("lantern", { catalog: { name: "harbor", namespace: "olm" } }),
    ['unknown-catalog: there is no catalog "olm/harbor"; did you mean harbour?'],
  ],
  [request("lantern", { catalog: { name: "harbour", namespace: "olm" } }), []],
  [request("lantern", { catalog: { name: "harbour", namespace: "far" } }), []],
])("%o", (one, expected) => {
  expect(texts(one)).toEqual(expected);
});

test("a request without a Subscription may name what does not exist, too", () => {
  expect(unknownName({ package: "lantern", channel: "stable" }, PROBLEM)).toBeUndefined();
  expect(unknownName({ package: "lantren" }, PROBLEM)).toEqual({
    code: "unknown-package",
    package: "lantren",
    catalog: "harbour",
    meant: "lantern",
  });
  expect(unknownName({ package: "lantren" }, { ...PROBLEM, unavailable: UNAVAILABLE })).toBeUndefined();
});

test("what might be in a catalog that could not be loaded is not called unknown", () => {
  expect(texts(request("zebra"), { unavailable: UNAVAILABLE })).toEqual([]);
  expect(texts(request("zebra", { catalog: { name: "partner" } }), { unavailable: UNAVAILABLE })).toEqual([]);
  expect(texts(request("zebra", { catalog: { name: "harbour" } }), { unavailable: UNAVAILABLE })).toHaveLength(1);
});

test("without a catalog there is no package", () => {
  expect(texts(request("lantern"), { catalogs: [] })).toEqual([
    'unknown-package: there is no catalog, and so no package "lantern"',
  ]);
});

test("where two catalogs share a name, the namespace can be the mistake", () => {
  const [catalog] = PROBLEM.catalogs as [Catalog];
  const catalogs = [
    { ...catalog, namespace: "olm" },
    { ...catalog, namespace: "shop" },
  ];
  expect(texts(request("lantern", { catalog: { name: "harbour", namespace: "oml" } }), { catalogs })).toEqual([
    'unknown-catalog: there is no catalog "oml/harbour"; there are olm/harbour, shop/harbour',
  ]);
  expect(texts(request("lantern", { catalog: { name: "harbour", namespace: "shop" } }), { catalogs })).toEqual([]);
});

test.each([
  [request("lantren"), "name"],
  [request("lantern", { channel: "stabel" }), "channel"],
  [request("lantern", { catalog: { name: "harbor" } }), "source"],
])("a warning has the place of the name", (one, field) => {
  const [found, ...more] = unknownNames({ ...PROBLEM, requests: [one] });
  expect(found?.place).toEqual({ ...one.place, path: ["spec", field] });
  expect(more).toEqual([]);
});

test("the text of --instead is not in the Subscription", () => {
  const problem = { ...PROBLEM, requests: [request("lantern", { channel: "stabel" })] };
  const [unknown] = unknownNames(problem, new Set(["lantern"]));
  expect(unknown).toMatchObject({ code: "unknown-channel" });
  expect(unknown).not.toHaveProperty("place");
});

test("a package of the command line has no place", () => {
  expect(unknownNames({ ...PROBLEM, requests: [request("lantren", { place: undefined })] })[0]?.place).toBeUndefined();
});
