// Is a difference between two answers worse, better, or just different? And what do answers say about each package?

import { describe, expect, test } from "vitest";
import { request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Place } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { resolve } from "../resolve.ts";
import { type AnswerSummary, type PackageStanding, summaryOf } from "./answer-summary.ts";
import { changedPackages } from "./changed-packages.ts";

const PLACE: Place = { source: "cluster.yaml", line: 1, column: 1 };

function standing(more: Partial<PackageStanding>): AnswerSummary {
  const none = { operators: [], behind: 0, waiting: [], refused: [], undecided: [] };
  return { proven: true, packages: [{ package: "lamp", standing: "keep", ...none, ...more }] };
}

function effectsOf(before: Partial<PackageStanding>, after: Partial<PackageStanding>): readonly string[] {
  return changedPackages("here", standing(before), standing(after)).map(({ effect }) => effect);
}

const asked = { id: "here/lamp", kind: "Subscription" } as const;
const other = { id: "here/other", kind: "Subscription" } as const;
const at = (version: string) => ({ name: `lamp.v${version}`, package: "lamp", version });
const gets = (version: string) => ({ ...at(version), action: "update" as const });

describe("effects", () => {
  test.each<[string, Partial<PackageStanding>, Partial<PackageStanding>, readonly string[]]>([
    ["nothing changes", {}, {}, []],
    ["a refused request", {}, { standing: "refused", refused: [asked] }, ["refused"]],
    ["another one", { refused: [asked] }, { refused: [asked, other] }, ["refused"]],
    ["what was undecided", { undecided: [asked] }, { refused: [asked] }, ["refused"]],
    ["what is undecided now", {}, { undecided: [asked] }, ["undecided"]],
    [
      "a refusal that is no longer certain",
      { standing: "refused", refused: [asked] },
      { standing: "undecided", undecided: [asked] },
      ["other"],
    ],
    ["a request that is satisfied", { refused: [asked] }, { behind: 2 }, ["better"]],
    ["an older bundle", { behind: 1 }, { behind: 2 }, ["held-back"]],
    ["a newer bundle", { behind: 1 }, {}, ["better"]],
    ["a refusal goes before a hold", { behind: 1 }, { behind: 2, refused: [other] }, ["refused"]],
    ["another operator", { operators: [gets("1.0.0")] }, { operators: [gets("2.0.0")] }, ["other"]],
    ["an older one waits", { waiting: [at("2.0.0")] }, { waiting: [at("1.0.0")] }, ["held-back"]],
    ["a newer one waits", { waiting: [at("1.0.0")] }, { waiting: [at("2.0.0")] }, ["better"]],
    ["nothing waits any more", { waiting: [at("1.0.0")] }, {}, ["other"]],
  ])("%s", (_, before, after, effects) => {
    expect(effectsOf(before, after)).toEqual(effects);
  });

  test("name only the new requests, and the operators that differ", () => {
    const stays = { name: "lamp.v1.0.0-copy", package: "lamp", version: "1.0.0", action: "keep" } as const;
    const [change] = changedPackages(
      "here",
      standing({ operators: [gets("1.0.0"), stays], refused: [other] }),
      standing({ operators: [stays, gets("2.0.0")], refused: [other, asked], standing: "refused" }),
    );
    expect(change).toEqual({
      namespace: "here",
      package: "lamp",
      effect: "refused",
      requests: [asked],
      before: { standing: "keep", operator: gets("1.0.0") },
      after: { standing: "refused", operator: gets("2.0.0") },
    });
  });

  test("are also about packages that only one answer has", () => {
    const nothing: AnswerSummary = { proven: true, packages: [] };
    const some = standing({ operators: [gets("1.0.0")], standing: "install" });
    expect(changedPackages("here", nothing, some)).toMatchObject([{ effect: "other", before: { standing: "none" } }]);
    expect(changedPackages("here", some, nothing)).toMatchObject([{ effect: "other", after: { standing: "none" } }]);
  });
});

function packagesIn(problem: Problem): readonly PackageStanding[] {
  return summaryOf(resolve(problem)).packages;
}

describe("an answer", () => {
  const catalog = stocked({ lamp: { "1.0.0": [], "1.1.0": [], "2.0.0": [] }, light: { "3.0.0": [] } });
  const lamp = running("lamp.v1.0.0");

  test("has what waits for approval, and what is behind it", () => {
    const manual = request("lamp", { installed: "lamp.v1.0.0", approval: "Manual", place: PLACE });
    expect(packagesIn(scene({ catalogs: [catalog], installed: [lamp], requests: [manual] }))).toMatchObject([
      { package: "lamp", standing: "waits", behind: 0, waiting: [{ name: "lamp.v1.1.0", version: "1.1.0" }] },
    ]);
  });

  test("has a new installation that waits for approval", () => {
    const manual = request("light", { approval: "Manual", place: PLACE });
    expect(packagesIn(scene({ catalogs: [catalog], requests: [manual] }))).toMatchObject([
      { package: "light", standing: "waits", operators: [], waiting: [{ name: "light.v3.0.0" }] },
    ]);
  });

  test("counts an operator that another package replaces under its own name", () => {
    const renamed = stocked({ light: { "2.0.0": [], "3.0.0": [] } }, {}, []);
    const problem = scene({
      catalogs: [renamed],
      installed: [running("light.v2.0.0", [], { package: "lamp" })],
      requests: [request("light", { installed: "light.v2.0.0" })],
    });
    expect(packagesIn(problem)).toMatchObject([
      { package: "lamp", standing: "update", operators: [{ name: "light.v3.0.0", package: "light" }] },
    ]);
    const held = { ...problem, installed: problem.installed.map((one) => ({ ...one, hold: HOLD })) };
    expect(packagesIn(held)).toMatchObject([{ package: "lamp", standing: "held-back", behind: 1 }]);
  });

  test("says which requests are refused, and of which kind they are", () => {
    const problem = scene({
      catalogs: [catalog],
      requests: [request("absent", { place: PLACE }), request("gone", { id: "here/gone" })],
    });
    expect(packagesIn(problem)).toMatchObject([
      { package: "absent", standing: "refused", refused: [{ id: "here/absent", kind: "Subscription" }] },
      { package: "gone", standing: "refused", refused: [{ id: "here/gone", kind: "package" }] },
    ]);
  });
});

const HOLD = { by: "flag", text: "not now" } as const;
