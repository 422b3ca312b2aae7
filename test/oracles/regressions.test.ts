// Which worlds did other solvers find on which the resolver once failed? The smallest of each kind.

import { describe, expect, test } from "vitest";
import { resolve } from "../../src/resolve/resolve.ts";
import { bundle } from "../catalog/lantern-catalog.ts";
import { constraint, gvk, provides, request, running, scene, stocked } from "../worlds/scene.ts";
import { bestByAnswerSets } from "./by-answer-sets.ts";
import { bestByClauses } from "./by-clauses.ts";
import { resolverVerdict } from "./verdict.ts";

describe("a bundle in no chain that a request names", () => {
  const skipping = [
    { schema: "olm.package", name: "a", defaultChannel: "stable" },
    {
      schema: "olm.channel",
      package: "a",
      name: "stable",
      entries: [{ name: "a.v2.0.0", skips: ["a.v1.0.0"] }, { name: "a.v1.0.0" }],
    },
    bundle("a", "1.0.0", [{ ...provides("X") }]),
    bundle("a", "2.0.0", []),
  ];
  const requests = [request("a", { priority: 1, startingCSV: "a.v1.0.0" }), request("b")];

  test.each([
    ["alone", gvk("X")],
    ["in a compound", { all: { constraints: [gvk("X")] } }],
  ])("is seen by operators that exclude its API, %s", async (_, unwanted) => {
    const catalogs = [stocked({ b: { "1.0.0": [constraint({ none: { constraints: [unwanted] } })] } }, {}, skipping)];
    const problem = scene({ catalogs, requests });
    expect(await bestByClauses(problem)).toMatchObject({ satisfied: ["here/a"] });
    expect(await bestByAnswerSets(problem)).toMatchObject({ satisfied: ["here/a"] });
    expect(resolverVerdict(problem)).toMatchObject({ satisfied: ["here/a"] });
  });
});

test("an operator that waits for approval does not stand in its own way when it is judged a second time", () => {
  const alone = constraint({ none: { constraints: [{ package: { packageName: "a", versionRange: ">=0.0.0" } }] } });
  const installed = [running("a.v1.0.0", [alone])];
  const requests = [request("a", { installed: "a.v1.0.0", approval: "Manual" })];
  const catalogs = [stocked({ a: { "1.0.0": [alone] } })];
  const { outcome, operators } = resolve(scene({ catalogs, installed, requests }));
  expect({ outcome, operators: operators.map(({ name, action }) => [name, action]) }).toEqual({
    outcome: "Resolved",
    operators: [["a.v1.0.0", "keep"]],
  });
});
