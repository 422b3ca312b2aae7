import { describe, expect, test } from "vitest";
import { brings, definitionObject } from "../../test/crd/winch-definitions.ts";
import { kept, planned, ran } from "../../test/plan/summary-lines.ts";
import {
  constraint,
  needs,
  needsPackage,
  provides,
  running,
  scene,
  stocked,
  type Versions,
} from "../../test/worlds/scene.ts";
import type { Problem } from "../model/problem.ts";
import { orderedChanges } from "./ordered-changes.ts";

/** The packages whose moves have to do with others, of these that all begin at 1.0.0. */
function tied(packages: Readonly<Record<string, Versions>>, more: Partial<Problem> = {}): readonly string[] {
  const catalogs = [stocked(packages)];
  const operators = Object.keys(packages).map((owner) => ran({ catalogs }, `${owner}.v1.0.0`));
  const plan = planned(scene({ catalogs, ...kept(operators), ...more }));
  expect(plan.generations).not.toEqual([]);
  return [...new Set([...orderedChanges([plan])].map((change) => change.package))].sort();
}

const PLAIN: Versions = { "1.0.0": [], "2.0.0": [] };

describe("the order matters", () => {
  test.each<readonly [string, Versions, Versions]>([
    [
      "if a new version needs a new one of the other",
      { "1.0.0": [], "2.0.0": [needsPackage("winch", ">=2.0.0")] },
      PLAIN,
    ],
    [
      "if the old version needs what goes",
      { "1.0.0": [needs("A")], "2.0.0": [] },
      { "1.0.0": [provides("A")], "2.0.0": [] },
    ],
    ["if an API passes", { "1.0.0": [provides("A")], "2.0.0": [] }, { "1.0.0": [], "2.0.0": [provides("A")] }],
    [
      "if one cannot be beside an old version of the other",
      {
        "1.0.0": [],
        "2.0.0": [constraint({ none: { constraints: [{ package: { name: "winch", versionRange: "<2.0.0" } }] } })],
      },
      PLAIN,
    ],
    [
      "if a CEL rule requires it",
      { "1.0.0": [], "2.0.0": [constraint({ cel: { rule: "properties.exists(p, p.type == 'deep')" } })] },
      { "1.0.0": [], "2.0.0": [{ type: "deep", value: true }] },
    ],
    [
      "if both bring one custom kind",
      { "1.0.0": [], "2.0.0": brings(definitionObject(["v1*"])).slice(1) },
      { "1.0.0": [], "2.0.0": brings(definitionObject(["v1*"])).slice(1) },
    ],
  ])("%s", (_, crane, winch) => {
    expect(tied({ crane, gong: PLAIN, winch })).toEqual(["crane", "winch"]);
  });

  test("if an operator that stays requires one or the other", () => {
    const either = {
      any: {
        constraints: [
          { package: { name: "crane", versionRange: "<2.0.0" } },
          { package: { name: "winch", versionRange: "2.0.0" } },
        ],
      },
    };
    const anchor = running("anchor.v1.0.0", [constraint(either)], { namespace: "there" });
    expect(tied({ crane: PLAIN, gong: PLAIN, winch: PLAIN }, { elsewhere: [anchor] })).toEqual(["crane", "winch"]);
  });
});

describe("the order does not matter", () => {
  test.each<readonly [string, Versions, Versions]>([
    ["otherwise", PLAIN, PLAIN],
    [
      "if every version meets the demand",
      { "1.0.0": [needsPackage("winch")], "2.0.0": [needsPackage("winch")] },
      PLAIN,
    ],
    ["if one needs only itself", { "1.0.0": [provides("A"), needs("A")], "2.0.0": [provides("B"), needs("B")] }, PLAIN],
  ])("%s", (_, crane, winch) => {
    expect(tied({ crane, gong: PLAIN, winch })).toEqual([]);
  });
});
