import { expect, test } from "vitest";
import { constraint, gvk, needs, provides, request, scene, stocked, type Versions } from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import { resolve } from "./resolve.ts";

function versions(...properties: readonly Property[]): Versions {
  return Object.fromEntries(["1.0.0", "2.0.0", "3.0.0"].map((version) => [version, properties]));
}

test("what all versions of a package need is counted without trying one after the other", () => {
  const catalogs = [
    stocked({
      bell: versions(needs("Clapper")),
      clapper: versions(provides("Clapper"), needs("Rope")),
      rope: versions(provides("Rope"), needs("Hemp")),
      hemp: versions(provides("Hemp")),
    }),
  ];
  const { operators, proven, statistics } = resolve(scene({ catalogs, requests: [request("bell")] }));
  expect(operators.map(({ name }) => name)).toEqual(["bell.v3.0.0", "clapper.v3.0.0", "hemp.v3.0.0", "rope.v3.0.0"]);
  expect(proven).toBe(true);
  expect(statistics).toMatchObject({ conflicts: 0, bundles: 4 });
});

test("a version with a duplicate requirement does not count for one without it", () => {
  const twice = [constraint(gvk("Rope")), constraint(gvk("Rope"))];
  const catalogs = [
    stocked({
      bell: versions(needs("Clapper")),
      clapper: { "1.0.0": [provides("Clapper")], "2.0.0": [provides("Clapper"), ...twice] },
    }),
  ];
  const { operators } = resolve(scene({ catalogs, requests: [request("bell")] }));
  expect(operators.map(({ name }) => name)).toEqual(["bell.v3.0.0", "clapper.v1.0.0"]);
});
