import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { kept, planned, ran, summaryLines, target } from "../../test/plan/summary-lines.ts";
import {
  constraint,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import type { Problem } from "../model/problem.ts";
import { type RangeOutline, rangeFrom } from "../semver/blang-range.ts";
import { makePlan } from "./make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "./plan.ts";

const CATALOG = stocked({
  bell: { "1.0.0": [], "1.1.0": [needs("Rope2")], "2.0.0": [needs("Rope2")] },
  rope: { "1.0.0": [provides("Rope1")], "1.1.0": [provides("Rope1")], "2.0.0": [provides("Rope2")] },
  lamp: { "1.0.0": [needs("Rope1")], "2.0.0": [] },
  wood: { "1.0.0": [], "2.0.0": [] },
});

function world(...names: readonly string[]): Problem {
  const catalogs = [CATALOG];
  return scene({ catalogs, ...kept(names.map((name) => ran({ catalogs }, name))) });
}

describe("the shortest path", () => {
  test("changes only what it has to change", () => {
    const plan = planned(world("bell.v1.0.0", "lamp.v1.0.0", "rope.v1.0.0", "wood.v1.0.0"), {
      to: target("bell@1.1.0"),
    });
    expect(summaryLines(plan)).toEqual([
      "1: rope 1.0.0 → 1.1.0",
      "2: lamp 1.0.0 → 2.0.0",
      "2: rope 1.1.0 → 2.0.0",
      "2: bell 1.0.0 → 1.1.0",
    ]);
    expect(plan.target).toMatchObject({ isReached: true });
    expect(plan.target).not.toHaveProperty("explanation");
    expect(plan.generations[1]?.steps[1]?.changes[0]?.requiredBy).toMatchObject([{ name: "bell.v1.1.0" }]);
  });

  test("installs what is not there", () => {
    expect(summaryLines(planned(world("bell.v1.0.0"), { to: target("bell@2.0.0") }))).toEqual([
      "1: rope +2.0.0",
      "1: bell 1.0.0 → 1.1.0",
      "2: bell 1.1.0 → 2.0.0",
    ]);
    expect(summaryLines(planned(scene({ catalogs: [CATALOG] }), { to: target("wood") }))).toEqual(["1: wood +2.0.0"]);
  });

  test("is of no length where one is already", () => {
    const plan = planned(world("wood.v1.0.0"), { to: target("wood@1.0.0") });
    expect([plan.generations, plan.end, plan.target?.isReached]).toEqual([[], "done", true]);
  });

  test("leads to the newest version if none is given", () => {
    expect(summaryLines(planned(world("wood.v1.0.0"), { to: target("wood") }))).toEqual(["1: wood 1.0.0 → 2.0.0"]);
  });

  test("avoids operators that need approval, unless approved", () => {
    const catalogs = [CATALOG];
    const operators = ["lamp.v1.0.0", "rope.v1.1.0"].map((name) => ran({ catalogs }, name));
    const problem = scene({ catalogs, ...kept(operators, { lamp: { approval: "Manual" } }) });
    expect(planned(problem, { to: target("rope@2.0.0") }).end).toBe("no-way");
    const approved = scene({ catalogs, ...kept(operators) });
    expect(summaryLines(planned(approved, { to: target("rope@2.0.0") }))).toEqual([
      "1: lamp 1.0.0 → 2.0.0",
      "1: rope 1.1.0 → 2.0.0",
    ]);
  });

  test("leaves the range of a request", () => {
    const problem = world("bell.v1.0.0", "rope.v1.1.0");
    const old = request("rope", {
      id: "here/old",
      range: rangeFrom(target("rope@<2.0.0").range as RangeOutline),
      installed: "rope.v1.1.0",
    });
    expect(planned(problem, { to: target("bell@1.1.0") }).end).toBe("done");
    expect(planned({ ...problem, requests: [...problem.requests, old] }, { to: target("bell@1.1.0") }).end).toBe(
      "no-way",
    );
  });

  test("can end with the removal of orphans", () => {
    const catalogs = [
      stocked({ bell: { "1.0.0": [needs("Rope")], "2.0.0": [], "3.0.0": [] }, rope: { "1.0.0": [provides("Rope")] } }),
    ];
    const operators = ["bell.v1.0.0", "rope.v1.0.0"].map((name) => ran({ catalogs }, name));
    const problem = scene({ catalogs, ...kept(operators, { rope: { isGenerated: true } }) });
    expect(summaryLines(planned(problem, { to: target("bell@2.0.0"), prune: true }))).toEqual([
      "1: bell 1.0.0 → 2.0.0",
      "2: rope -1.0.0",
    ]);
    expect(planned(problem, { to: target("bell@2.0.0") }).orphans.map(({ name }) => name)).toEqual(["rope.v1.0.0"]);
  });
});

describe("no path", () => {
  const textOf = (problem: Problem, to: string): string =>
    explanationText(planned(problem, { to: target(to) }).target?.explanation) ?? "";

  const NOT_BESIDE_STONE = constraint({
    none: { constraints: [{ package: { name: "stone", versionRange: ">=0.0.0" } }] },
  });

  test("is explained at the closest state", () => {
    const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [], "2.0.0": [NOT_BESIDE_STONE] } })];
    const operators = [ran({ catalogs }, "bell.v1.0.0"), running("stone.v1.0.0")];
    const text = textOf(scene({ catalogs, ...kept(operators) }), "bell@2.0.0");
    expect(text.split("\n").slice(0, 2)).toEqual([
      "No safe path leads to bell 2.0.0. The closest is bell 1.1.0, in 1 generation. From there:",
      "bell cannot be updated to 2.0.0.",
    ]);
  });

  test("is known at once if a bundle on it can never be chosen", () => {
    const versions = { "1.0.0": [], "1.1.0": [needs("Nothing")], "1.2.0": [], "2.0.0": [] };
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `m${index}`,
        { "1.0.0": [needsPackage("bell")], "2.0.0": [needsPackage("bell")] },
      ]),
    );
    const catalogs = [stocked({ bell: versions, ...many })];
    const operators = ["bell", ...Object.keys(many)].map((owner) => ran({ catalogs }, `${owner}.v1.0.0`));
    const plan = planned(scene({ catalogs, ...kept(operators) }), { to: target("bell@2.0.0") });
    expect([plan.end, explanationText(plan.target?.explanation)?.split("\n")[0]]).toEqual([
      "no-way",
      "No safe path leads to bell 2.0.0. The closest is bell 1.0.0, which runs now.",
    ]);
    expect(explanationText(plan.target?.explanation)).toContain("bell 1.1.0 requires the API Nothing");
  });

  test("is explained from the nearest state that can be reached", () => {
    const later = [needsPackage("workspace", ">=0.11.0")];
    const versions = { "7.40.1": [], "7.40.2": [], "7.41.0": [], "7.42.0": later, "7.43.0": later, "7.87.0": later };
    const catalogs = [stocked({ che: versions })];
    const problem = scene({ catalogs, ...kept([ran({ catalogs }, "che.v7.40.1")]) });
    // Nothing of it is planned: how many generations a plan may have does not matter.
    for (const maxGenerations of [1, 1_000]) {
      const plan = planned(problem, { to: target("che@7.87.0"), maxGenerations });
      expect([plan.end, explanationText(plan.target?.explanation)?.split("\n")]).toEqual([
        "no-way",
        [
          "No safe path leads to che 7.87.0. The closest is che 7.41.0, in 2 generations. From there:",
          "che cannot be updated to 7.42.0.",
          "che 7.42.0 requires workspace >=0.11.0, and no catalog has it.",
        ],
      ]);
    }
    let asks = 0;
    const options = { ...DEFAULT_PLAN_OPTIONS, to: target("che@7.87.0") };
    const [cut] = makePlan([problem], options, () => ++asks === 1);
    expect([cut?.end, explanationText(cut?.target?.explanation)?.split("\n")]).toEqual([
      "no-way",
      [
        "No safe path leads to che 7.87.0. The closest that was found is che 7.40.1, which runs now.",
        "The search ended before every reachable state was visited: how far updates lead is not known.",
      ],
    ]);
  });

  test("is not reported if another Subscription would lose its operator; the reason is", () => {
    const slow = { schema: "olm.channel", package: "a", name: "slow", entries: [{ name: "a.v1.0.0" }] };
    const catalogs = [stocked({ a: { "1.0.0": [], "2.0.0": [] } }, {}, [slow])];
    const requests = ["slow", "stable"].map((channel) =>
      request("a", { id: `here/${channel}`, name: channel, channel, installed: "a.v1.0.0" }),
    );
    const plan = planned(scene({ catalogs, installed: [ran({ catalogs }, "a.v1.0.0")], requests }), {
      to: target("a@2.0.0"),
    });
    expect(plan.end).toBe("no-way");
    expect(explanationText(plan.target?.explanation)).toContain("slow");
  });

  test("is explained where the package is newest, of states that are equally far", () => {
    const entries = [{ name: "buoy.v1.0.0" }, { name: "buoy.v1.1.0", replaces: "buoy.v1.0.0" }];
    const head = { name: "buoy.v2.0.0", replaces: "buoy.v1.1.0", skipRange: "<2.0.0" };
    const { type, value } = NOT_BESIDE_STONE;
    const documents = [
      { schema: "olm.package", name: "buoy", defaultChannel: "stable" },
      { schema: "olm.channel", package: "buoy", name: "stable", entries: [...entries, head] },
      ...["1.0.0", "1.1.0"].map((version) => bundle("buoy", version)),
      bundle("buoy", "2.0.0", [{ type, value }]),
    ];
    const catalogs = [stocked({}, {}, documents)];
    const operators = [ran({ catalogs }, "buoy.v1.0.0"), running("stone.v1.0.0")];
    expect(textOf(scene({ catalogs, ...kept(operators) }), "buoy@2.0.0")).toContain(
      "The closest is buoy 1.1.0, in 1 generation.",
    );
  });

  test("is not reported if there are too many installable bundles to try", () => {
    const [small, large] = [1, 301].map((length) => {
      const label = (name: string): readonly Property[] => [
        { type: "olm.label", value: { label: name } },
        needs("Nothing"),
      ];
      const many = Array.from({ length }, (_, index) => [`m${index}`, { "1.0.0": label("heavy") }]);
      const asks = { type: "olm.label.required", value: { label: "heavy" } };
      const catalogs = [stocked({ bell: { "1.0.0": [], "2.0.0": [asks] }, ...Object.fromEntries(many) })];
      return planned(scene({ catalogs, ...kept([ran({ catalogs }, "bell.v1.0.0")]) }), { to: target("bell@2.0.0") })
        .end;
    });
    expect([small, large]).toEqual(["no-way", "search"]);
  });

  test("is known at once where no update leads there", () => {
    const here = world("wood.v2.0.0");
    expect(textOf(here, "wood@1.0.0")).toBe("No update leads from wood 2.0.0 to wood 1.0.0.");
    expect(textOf(here, "wood@3.0.0")).toBe("No catalog has wood 3.0.0: the newest is 2.0.0.");
    expect(textOf(here, "iron")).toBe("No catalog has a package iron.");
  });

  test("is never reported if a limit or a missing catalog prevents a proof", () => {
    const far = planned(world("bell.v1.0.0"), { to: target("bell@2.0.0"), maxGenerations: 1 });
    expect([far.end, far.target?.isReached]).toEqual(["generations", false]);
    const [late] = makePlan([world("bell.v1.0.0")], { ...DEFAULT_PLAN_OPTIONS, to: target("bell@2.0.0") }, () => true);
    expect(late?.end).toBe("search");
    const away = { ...world("wood.v2.0.0"), unavailable: [{ name: "far", priority: 0, reason: "it is far" }] };
    expect(planned(away, { to: target("wood@3.0.0") }).end).toBe("unread");
  });

  test("is never reported if a rule was too expensive to evaluate", () => {
    const cel = constraint({
      cel: { rule: "properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'lib')" },
    });
    const catalogs = [stocked({ t: { "1.0.0": [], "2.0.0": [cel] }, lib: { "1.0.0": [] } })];
    const ends = [1, 1_000].map((celCostLimit) => {
      const problem = scene({ catalogs, ...kept([ran({ catalogs }, "t.v1.0.0")]) }, { celCostLimit });
      return planned(problem, { to: target("t@2.0.0") }).end;
    });
    expect(ends).toEqual(["search", "done"]);
  });

  test("under compat, a broken state is not searched", () => {
    const catalogs = [stocked({ bell: { "1.0.0": [needsPackage("gone")] }, wood: { "1.0.0": [], "2.0.0": [] } })];
    const operators = ["bell.v1.0.0", "wood.v1.0.0"].map((name) => ran({ catalogs }, name));
    const broken = scene({ catalogs, ...kept(operators) }, { compat: true });
    expect(planned(broken, { to: target("wood@2.0.0") }).end).toBe("search");
    const whole = scene({
      catalogs,
      ...kept(operators.slice(1)),
      requests: [request("wood", { installed: "wood.v1.0.0" })],
    });
    expect(planned(whole, { to: target("wood@2.0.0") }).end).toBe("done");
  });
});
