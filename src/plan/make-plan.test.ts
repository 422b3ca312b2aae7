import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { brings, definition, definitionObject, needsVersion, winch } from "../../test/crd/winch-definitions.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { kept, planned, ran, summaryLines } from "../../test/plan/summary-lines.ts";
import { PLACE } from "../../test/resolve/prepare-given.ts";
import { actionsIn } from "../../test/worlds/api-server.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Catalog } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { byName } from "../render/sentence/names.ts";
import { warningText } from "../render/sentence/warning.ts";
import { findPlans } from "./make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "./plan.ts";
import type { FoundPlan } from "./plan-draft.ts";

const CHAIN = stocked({ bell: { "1.0.0": [], "1.1.0": [], "2.0.0": [] }, lamp: { "1.0.0": [], "1.1.0": [] } });

function from(catalog: Catalog, names: readonly string[], more: Partial<Problem> = {}): Problem {
  const catalogs = [catalog];
  return scene({ catalogs, ...kept(names.map((name) => ran({ catalogs }, name))), ...more });
}

describe("generations", () => {
  test("everything moves once in each, until nothing does", () => {
    const plan = planned(from(CHAIN, ["bell.v1.0.0", "lamp.v1.0.0"]));
    expect(summaryLines(plan)).toEqual(["1: bell 1.0.0 → 1.1.0", "1: lamp 1.0.0 → 1.1.0", "2: bell 1.1.0 → 2.0.0"]);
    expect(plan.end).toBe("done");
    expect(planned(plan.after).generations).toEqual([]);
  });

  test("there are no more than allowed", () => {
    const plan = planned(from(CHAIN, ["bell.v1.0.0"]), { maxGenerations: 1 });
    expect([summaryLines(plan), plan.end]).toEqual([["1: bell 1.0.0 → 1.1.0"], "generations"]);
    expect(planned(from(CHAIN, ["bell.v1.0.0"]), { maxGenerations: 2 }).end).toBe("done");
  });

  test("a limit of time ends it with a whole generation", () => {
    const problem = from(CHAIN, ["bell.v1.0.0", "lamp.v1.0.0"]);
    let asked = 0;
    findPlans([problem], DEFAULT_PLAN_OPTIONS, () => ++asked < 0);
    for (let most = 0; most <= asked; most++) {
      let left = most;
      const [plan] = findPlans([problem], DEFAULT_PLAN_OPTIONS, () => left-- <= 0);
      expect(plan?.end, `after ${most}`).toBe(most < asked ? "search" : "done");
      const whole = summaryLines(planned(problem, { maxGenerations: plan?.generations.length || 1 }));
      expect(plan?.generations.length === 0 ? whole : summaryLines(plan as FoundPlan)).toEqual(whole);
    }
  });

  test("a dependency comes first, gets a Subscription, and is claimed by it", () => {
    const catalog = stocked({
      bell: { "1.0.0": [], "2.0.0": [needsPackage("rope", "1.0.0")], "3.0.0": [needsPackage("rope")] },
      rope: { "1.0.0": [], "1.1.0": [] },
    });
    const plan = planned(from(catalog, ["bell.v1.0.0"]));
    expect(summaryLines(plan)).toEqual([
      "1: rope +1.0.0",
      "1: bell 1.0.0 → 2.0.0",
      "2: bell 2.0.0 → 3.0.0",
      "2: rope 1.0.0 → 1.1.0",
    ]);
    expect(plan.generations[0]?.steps[0]?.changes[0]?.generatedSubscription).toMatchObject({
      name: "rope-stable-main-here",
      startingCSV: "rope.v1.0.0",
    });
    expect(plan.after.requests.find(({ package: owner }) => owner === "rope")).toMatchObject({
      installed: "rope.v1.1.0",
      isGenerated: true,
    });
  });

  test("an operator that cannot change stays, with exactly those that depend on it (seed 004: downgrade)", () => {
    const catalog = stocked({
      bell: { "1.0.0": [provides("Bell1")], "2.0.0": [provides("Bell2"), needs("Nothing")] },
      lamp: { "1.0.0": [needs("Bell1")], "2.0.0": [needs("Bell2")] },
      rope: { "1.0.0": [], "2.0.0": [] },
    });
    const plan = planned(from(catalog, ["bell.v1.0.0", "lamp.v1.0.0", "rope.v1.0.0"]));
    expect(summaryLines(plan)).toEqual(["1: rope 1.0.0 → 2.0.0"]);
    expect(plan.last.heldBack.map(({ package: owner }) => owner)).toEqual(["bell", "lamp"]);
  });

  test("a cycle of upgrade edges ends the plan", () => {
    const entry = (version: string): JsonObject => ({ name: `buoy.v${version}`, skipRange: "<9.0.0" });
    const channel = { schema: "olm.channel", package: "buoy" };
    const documents = [
      { schema: "olm.package", name: "buoy", defaultChannel: "alpha" },
      { ...channel, name: "alpha", entries: [entry("1.0.0")] },
      { ...channel, name: "beta", entries: [entry("2.0.0")] },
      bundle("buoy", "1.0.0"),
      bundle("buoy", "2.0.0"),
    ];
    const catalogs = [stocked({ bell: { "1.0.0": [], "2.0.0": [] } }, {}, documents)];
    const operators = ["bell.v1.0.0", "buoy.v1.0.0"].map((name) => ran({ catalogs }, name));
    const plan = planned(scene({ catalogs, ...kept(operators, { buoy: { place: PLACE } }) }));
    expect(summaryLines(plan)).toEqual(["1: bell 1.0.0 → 2.0.0", "1: buoy 1.0.0 → 2.0.0"]);
    expect(plan.warnings.map((one) => [one.code, warningText(one, byName).split(":")[0]])).toEqual([
      ["upgrade-circle", "the channels of buoy lead in a circle, from buoy.v2.0.0 back to buoy.v1.0.0"],
    ]);
    expect(planned(plan.after).generations).toEqual([]);
  });

  test("a package of the command line stays in the channel of the Subscription that the plan makes for it", () => {
    const channel = { schema: "olm.channel", package: "buoy" };
    const documents = [
      { schema: "olm.package", name: "buoy", defaultChannel: "alpha" },
      { ...channel, name: "alpha", entries: [{ name: "buoy.v1.0.0" }] },
      { ...channel, name: "beta", entries: [{ name: "buoy.v2.0.0", replaces: "buoy.v1.0.0" }] },
      bundle("buoy", "1.0.0"),
      bundle("buoy", "2.0.0"),
    ];
    const plan = planned(scene({ catalogs: [stocked({}, {}, documents)], requests: [request("buoy")] }));
    expect(summaryLines(plan)).toEqual(["1: buoy +1.0.0"]);
    expect(plan.after.requests[0]).toMatchObject({ channel: "alpha", isPlanned: true });
  });

  test("a dependency that waits for approval is not installed, and what needs it waits with it", () => {
    const catalogs = [
      stocked({ bell: { "1.0.0": [needsPackage("rope", "1.0.0")] }, rope: { "1.0.0": [], "2.0.0": [] } }),
    ];
    const requests = [request("bell"), request("rope", { approval: "Manual" })];
    const plan = planned(scene({ catalogs, requests }));
    expect(summaryLines(plan)).toEqual([]);
    expect(
      plan.last.pendingApproval.map(({ changes, awaiting }) => [changes.map(({ to }) => to.name), awaiting]),
    ).toEqual([[["bell.v1.0.0", "rope.v1.0.0"], ["bell"]]]);
  });

  test("what needs approval stays, and is reported as pending", () => {
    const catalogs = [CHAIN];
    const operators = [ran({ catalogs }, "bell.v1.0.0"), ran({ catalogs }, "lamp.v1.0.0")];
    const plan = planned(scene({ catalogs, ...kept(operators, { bell: { approval: "Manual" } }) }));
    expect(summaryLines(plan)).toEqual(["1: lamp 1.0.0 → 1.1.0"]);
    expect(plan.last.pendingApproval.map(({ changes }) => changes)).toMatchObject([
      [{ package: "bell", from: { name: "bell.v1.0.0" }, to: { name: "bell.v1.1.0" } }],
    ]);
  });
});

describe("several namespaces", () => {
  test("share their generations, and each sees what the others have become", () => {
    const catalog = stocked({
      bell: { "1.0.0": [needs("Old")], "1.1.0": [needs("Old")], "2.0.0": [] },
      lamp: { "1.0.0": [provides("Old")], "2.0.0": [] },
    });
    const catalogs = [catalog];
    const bell = { ...ran({ catalogs }, "bell.v1.0.0"), namespace: "a" };
    const lamp = { ...ran({ catalogs }, "lamp.v1.0.0"), namespace: "b" };
    const plans = findPlans(
      [
        scene({ namespace: "a", catalogs, ...kept([bell]), elsewhere: [lamp] }),
        scene({ namespace: "b", catalogs, ...kept([lamp]), elsewhere: [bell] }),
      ],
      DEFAULT_PLAN_OPTIONS,
    );
    expect(plans.map(summaryLines)).toEqual([
      ["1: bell 1.0.0 → 1.1.0", "2: bell 1.1.0 → 2.0.0"],
      ["2: lamp 1.0.0 → 2.0.0"],
    ]);
    expect(plans[0]?.after.elsewhere.map(({ name }) => name)).toEqual(["lamp.v2.0.0"]);
  });
});

describe("custom kinds", () => {
  const OLD = definitionObject(["v1alpha1*"]);
  const BOTH = definitionObject(["v1alpha1", "v1beta1*"]);
  const UNSERVED = definitionObject(["-v1alpha1", "v1beta1*"]);
  const NEW = definitionObject(["v1beta1*"]);

  function winches(versions: Readonly<Record<string, ReturnType<typeof brings>>>): Problem {
    const catalogs = [stocked({ winch: versions })];
    const objects = [winch("v1alpha1", "one")];
    const definitions = [{ definition: definition(OLD, ["v1alpha1"]), objects }];
    return scene({ catalogs, ...kept([ran({ catalogs }, "winch.v1.0.0")]), definitions });
  }

  test("a version is removed through every bundle in between, with the migration in its place (seed 004)", () => {
    const versions = { "1.0.0": OLD, "1.1.0": BOTH, "1.2.0": UNSERVED, "2.0.0": NEW };
    const problem = winches(Object.fromEntries(Object.entries(versions).map(([key, one]) => [key, brings(one)])));
    const plan = planned(problem);
    expect(summaryLines(plan)).toEqual(["1: winch 1.0.0 → 1.1.0", "2: winch 1.1.0 → 1.2.0", "3: winch 1.2.0 → 2.0.0"]);
    const verbs = plan.generations.map(({ steps }) => steps.flatMap((step) => actionsIn(step).map(({ verb }) => verb)));
    // The Subscription is not in the input: the first step creates it.
    expect(verbs).toEqual([
      ["unpack", "update", "replace", "create"],
      ["unpack", "update", "replace"],
      ["rewrite", "patch", "unpack", "update", "replace"],
    ]);
    const [after] = plan.after.definitions ?? [];
    expect(after?.definition.storedVersions).toEqual(["v1beta1"]);
    expect(after?.objects?.map(({ version }) => version)).toEqual(["v1beta1"]);
  });

  test("without an intermediate bundle the plan stops before it, with the reason", () => {
    const plan = planned(winches({ "1.0.0": brings(OLD), "1.1.0": brings(BOTH), "2.0.0": brings(NEW) }));
    expect(summaryLines(plan)).toEqual(["1: winch 1.0.0 → 1.1.0"]);
    expect(explanationText(plan.last.heldBack[0]?.explanation)).toContain("CRD102");
    expect(explanationText(plan.last.heldBack[0]?.explanation)).not.toContain("CRD101");
  });

  test("what a webhook makes of an object is not known", () => {
    const webhook = definitionObject(["-v1alpha1", "v1beta1*"], {}, { conversion: { strategy: "Webhook" } });
    const catalogs = [stocked({ winch: { "1.2.0": brings(webhook), "2.0.0": brings(NEW) } })];
    const objects = [winch("v1alpha1", "one"), winch("v1beta1", "two")];
    const definitions = [{ definition: definition(webhook, ["v1alpha1", "v1beta1"]), objects }];
    const plan = planned(scene({ catalogs, ...kept([ran({ catalogs }, "winch.v1.2.0")]), definitions }));
    const [after] = plan.after.definitions ?? [];
    expect(after?.objects?.map((one) => one.name)).toEqual(["two"]);
    expect(after?.isPartial).toBe(true);
  });

  test("if two bring one kind differently, the second waits until it is checked again", () => {
    const [one, two] = [definitionObject(["v1", "v2*"]), definitionObject(["v1*"])];
    const kinds = (object: typeof one): ReturnType<typeof brings> =>
      brings(object).filter(({ type }) => type !== "olm.gvk");
    const catalogs = [stocked({ bell: { "1.0.0": kinds(one) }, lamp: { "1.0.0": kinds(two) } })];
    const plan = planned(scene({ catalogs, requests: [request("bell"), request("lamp")], definitions: [] }));
    expect(summaryLines(plan)).toEqual(["1: bell +1.0.0"]);
    expect(plan.last.unsatisfied.map(({ request: { package: owner } }) => owner)).toEqual(["lamp"]);
  });

  test("two that are only possible together and define one kind differently are not installed, with a warning", () => {
    const [one, two] = [definitionObject(["v1", "v2*"]), definitionObject(["v1*"])];
    const kinds = (object: typeof one): ReturnType<typeof brings> =>
      brings(object).filter(({ type }) => type !== "olm.gvk");
    const catalogs = [
      stocked({
        bell: { "1.0.0": [...kinds(one), needsPackage("lamp")] },
        lamp: { "1.0.0": [...kinds(two), needsPackage("bell")] },
      }),
    ];
    const plan = planned(scene({ catalogs, requests: [request("bell")], definitions: [] }));
    expect([plan.generations, plan.end]).toEqual([[], "done"]);
    expect(plan.warnings.map(({ code }) => code)).toEqual(["crd-clash"]);
  });

  test("an operator that needs a removed version is an obstacle", () => {
    const problem = winches({ "1.0.0": brings(OLD), "1.1.0": brings(BOTH), "1.2.0": brings(UNSERVED) });
    const crane = running("crane.v1.0.0", [needsVersion("v1alpha1")], { namespace: "there" });
    expect(summaryLines(planned({ ...problem, elsewhere: [crane] }))).toEqual(["1: winch 1.0.0 → 1.1.0"]);
  });
});

describe("orphans", () => {
  const catalog = stocked({
    bell: { "1.0.0": [needs("Rope")], "2.0.0": [] },
    rope: { "1.0.0": [provides("Rope"), needs("Hemp")] },
    hemp: { "1.0.0": [provides("Hemp")] },
  });
  const catalogs = [catalog];
  const operators = ["bell.v1.0.0", "hemp.v1.0.0", "rope.v1.0.0"].map((name) => ran({ catalogs }, name));
  const generated = { rope: { isGenerated: true }, hemp: { isGenerated: true } } as const;
  const world = scene({ catalogs, ...kept(operators, generated) });
  const orphans = (plan: FoundPlan): readonly string[] => plan.orphans.map(({ name }) => name);

  test("are reported once nothing requires them, directly or not", () => {
    expect(orphans(planned(world))).toEqual(["hemp.v1.0.0", "rope.v1.0.0"]);
    const held = { ...world, installed: world.installed.map((one) => ({ ...one, hold: HOLD })) };
    expect(orphans(planned({ ...held, installed: held.installed }))).toEqual([]);
  });

  test("are removed in an order in which each still has what it needs", () => {
    const plan = planned(world, { prune: true });
    expect(summaryLines(plan)).toEqual(["1: bell 1.0.0 → 2.0.0", "2: rope -1.0.0", "2: hemp -1.0.0"]);
    expect(plan.after.requests.map(({ package: owner }) => owner)).toEqual(["bell"]);
    expect(orphans(plan)).toEqual([]);
  });

  test("that are in use stay, and with them what they need", () => {
    const owned = { ...world, inUse: [{ group: "example.com", kind: "Rope", count: 1 }] };
    for (const prune of [false, true]) {
      const plan = planned(owned, { prune });
      expect(summaryLines(plan)).toEqual(["1: bell 1.0.0 → 2.0.0"]);
      expect(plan).toMatchObject({
        prune,
        orphans: [
          { name: "hemp.v1.0.0", inUse: [], neededBy: { operator: { name: "rope.v1.0.0" }, isOptional: false } },
          { name: "rope.v1.0.0", inUse: [{ count: 1 }] },
        ],
      });
      expect(plan.orphans[1]).not.toHaveProperty("neededBy");
      expect(plan.orphans[0]?.neededBy?.demand).toMatchObject({ kind: "gvk", gvk: { kind: "Hemp" } });
    }
    expect(planned(owned, { prune: "with-objects" }).orphans).toEqual([]);
  });

  test("are not those that are also requested, or that another namespace needs", () => {
    const asked = scene({ catalogs, ...kept(operators, { hemp: { isGenerated: true } }) });
    expect(orphans(planned(asked))).toEqual([]);
    const ship = running("ship.v1.0.0", [needs("Hemp")], { namespace: "there" });
    expect(orphans(planned({ ...world, elsewhere: [ship] }))).toEqual(["rope.v1.0.0"]);
  });
});

const HOLD = { by: "flag", text: "--hold" } as const;
