// Does a plan do what the proposal about upgrades (004) promises? Its two examples, its algorithm of generations with the
// fallback, and APIs that pass from one operator to another; each with its reason.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Property } from "../../src/model/catalog.ts";
import type { Hold, Installed, Problem, Request } from "../../src/model/problem.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import { factTexts } from "../../src/render/sentence/fact.ts";
import { byName as bundleName } from "../../src/render/sentence/names.ts";
import { breachText } from "../../src/render/sentence/plan.ts";
import { casePlan } from "../resolve/olm-cases/plan-answer.ts";
import { soundPlan } from "../resolve/olm-cases/plan-world.ts";
import { needs, needsPackage, provides, request, running, scene, stocked, type Versions } from "../worlds/scene.ts";

/** A namespace in which each package runs in its first version, with a Subscription for it. */
function world(packages: Readonly<Record<string, Versions>>, more: Partial<Problem> = {}): Problem {
  const first = Object.entries(packages).map(
    ([owner, versions]) => [owner, Object.entries(versions)[0] as [string, readonly Property[]]] as const,
  );
  const installed = first.map(([owner, [version, properties]]) => running(`${owner}.v${version}`, properties));
  const requests = first.map(([owner, [version]]) => claim(owner, version));
  return scene({ catalogs: [stocked(packages)], installed: byName(installed), requests: byId(requests), ...more });
}

function claim(owner: string, version: string): Request {
  return request(owner, { installed: `${owner}.v${version}` });
}

function byName(operators: readonly Installed[]): readonly Installed[] {
  return operators.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function byId(requests: readonly Request[]): readonly Request[] {
  return requests.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The steps of all generations, in the notation of test/resolve/olm-cases. */
function steps(plan: FoundPlan): readonly (readonly (string | readonly string[])[])[] {
  return casePlan(plan, []).generations;
}

/** The sentences of the facts for which an operator is held back in the end. */
function facts(plan: FoundPlan, owner: string): readonly string[] {
  const held = plan.last.heldBack.find((one) => one.package === owner);
  if (held?.explanation === undefined) return [];
  const texts = factTexts(held.explanation);
  return held.explanation.facts.map(({ subject }, index) => `${subject}: ${texts[index]}`);
}

function heldBack(plan: FoundPlan): readonly string[] {
  return plan.last.heldBack.map((one) => one.package);
}

describe("deprecate dependant API", () => {
  const USER: Versions = { "1.0.0": [provides("A"), needs("B")] };
  const PROVIDER: Versions = { "1.0.0": [provides("B")], "2.0.0": [provides("C")] };

  test("the provider that would give up B stays, and its explanation names its dependent", () => {
    const plan = soundPlan(world({ user: USER, provider: PROVIDER }));
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["provider"]);
    expect(facts(plan, "provider")).toEqual([
      "provider: only one version of provider can run in a namespace",
      "user: user 1.0.0 runs and stays: its channel has nothing newer",
      "user: user 1.0.0, which runs, requires the API B (example.com/v1), which only provider 1.0.0 provides",
      "here/provider: you asked for provider, which is 2.0.0",
    ]);
    expect(plan.last.heldBack[0]?.available).toMatchObject([{ name: "provider.v2.0.0" }]);
  });

  test("unrelated operators move on", () => {
    const plan = soundPlan(world({ user: USER, provider: PROVIDER, clock: { "1.0.0": [], "2.0.0": [] } }));
    expect(steps(plan)).toEqual([["clock.v1.0.0 -> clock.v2.0.0"]]);
    expect(heldBack(plan)).toEqual(["provider"]);
  });

  test("once A's provider can do with C, both move together", () => {
    const user = { ...USER, "2.0.0": [provides("A"), needs("C")] };
    const plan = soundPlan(world({ user, provider: PROVIDER }));
    expect(steps(plan)).toEqual([[["provider.v1.0.0 -> provider.v2.0.0", "user.v1.0.0 -> user.v2.0.0"]]]);
    const because = plan.generations[0]?.steps[0]?.because
      .map(({ breach }) => breachText(breach, bundleName))
      .join("\n");
    expect(because).toContain("user.v1.0.0 requires the API B");
    expect(because).toContain("user.v2.0.0 requires the API C");
  });

  test("once A's provider can do without B, it moves first and the provider of B after it", () => {
    const user = { ...USER, "2.0.0": [provides("A")] };
    const plan = soundPlan(world({ user, provider: PROVIDER }));
    expect(steps(plan)).toEqual([["user.v1.0.0 -> user.v2.0.0", "provider.v1.0.0 -> provider.v2.0.0"]]);
  });

  test("another operator that needs B and cannot move keeps all of them where they are", () => {
    const user = { ...USER, "2.0.0": [provides("A"), needs("C")] };
    const plan = soundPlan(world({ user, provider: PROVIDER, miller: { "1.0.0": [needs("B")] } }));
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["provider", "user"]);
    for (const owner of ["provider", "user"])
      expect(facts(plan, owner)).toContain(
        "miller: miller 1.0.0, which runs, requires the API B (example.com/v1), which only provider 1.0.0 provides",
      );
  });

  test("with another provider of B in the catalog, that one takes the API over", () => {
    const plan = soundPlan({
      ...world({ user: USER, provider: PROVIDER }),
      catalogs: [stocked({ user: USER, provider: PROVIDER, heir: { "1.0.0": [provides("B")] } })],
    });
    expect(steps(plan)).toEqual([[["+heir.v1.0.0", "provider.v1.0.0 -> provider.v2.0.0"]]]);
    expect(Object.values(casePlan(plan, []).generates)).toEqual(["here/main/stable heir.v1.0.0"]);
  });
});

describe("version deadlock", () => {
  const A: Versions = { "1.0.0": [provides("A"), needs("B")], "2.0.0": [provides("A2"), needs("B2")] };
  const B: Versions = { "1.0.0": [provides("B"), needs("A")], "2.0.0": [provides("B2"), needs("A2")] };

  test("both move in one step, which shows what each of them alone would break", () => {
    const plan = soundPlan(world({ a: A, b: B }));
    expect(steps(plan)).toEqual([[["a.v1.0.0 -> a.v2.0.0", "b.v1.0.0 -> b.v2.0.0"]]]);
    const because = plan.generations[0]?.steps[0]?.because ?? [];
    expect(because.map(({ package: owner, breach }) => [owner, breachText(breach, bundleName)])).toEqual([
      ["a", expect.stringContaining("b.v1.0.0 requires the API A ")],
      ["b", expect.stringContaining("a.v1.0.0 requires the API B ")],
    ]);
    expect(heldBack(plan)).toEqual([]);
  });

  test("they go on like that", () => {
    const plan = soundPlan(
      world({
        a: { ...A, "3.0.0": [provides("A3"), needs("B3")] },
        b: { ...B, "3.0.0": [provides("B3"), needs("A3")] },
      }),
    );
    expect(steps(plan)).toEqual([
      [["a.v1.0.0 -> a.v2.0.0", "b.v1.0.0 -> b.v2.0.0"]],
      [["a.v2.0.0 -> a.v3.0.0", "b.v2.0.0 -> b.v3.0.0"]],
    ]);
  });

  test("if one of them is held, the other one stays too, with that reason", () => {
    const hold: Hold = { by: "condition", text: "a migration is running" };
    const given = world({ a: A, b: B });
    const installed = given.installed.map((one) => (one.package === "b" ? { ...one, hold } : one));
    const plan = soundPlan({ ...given, installed });
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["a", "b"]);
    expect(facts(plan, "a").join("\n")).toContain("a migration is running");
    expect(facts(plan, "b").join("\n")).toContain("a migration is running");
  });

  test("a new set that is not compatible leaves both where they are", () => {
    const plan = soundPlan(world({ a: A, b: { ...B, "2.0.0": [provides("B2"), needs("A3")] } }));
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["a", "b"]);
    expect(facts(plan, "a").join("\n")).toContain("A3");
  });
});

describe("a generation", () => {
  test("a Subscription that was never checked gets the newest, and what that needs, to the last", () => {
    const packages = {
      top: { "1.0.0": [], "2.0.0": [needs("One")] },
      one: { "1.0.0": [provides("One"), needs("Two")] },
      two: { "1.0.0": [provides("Two")], "1.1.0": [provides("Two")] },
    };
    const plan = soundPlan(scene({ catalogs: [stocked(packages)], requests: [request("top")] }));
    expect(steps(plan)).toEqual([["+two.v1.1.0", "+one.v1.0.0", "+top.v2.0.0"]]);
    expect(casePlan(plan, []).generates).toEqual({
      "one-stable-main-here": "here/main/stable one.v1.0.0",
      "two-stable-main-here": "here/main/stable two.v1.1.0",
    });
  });

  test("what was only brought for an operator that falls back does not come either", () => {
    const packages = {
      top: { "1.0.0": [], "2.0.0": [needs("One"), needs("Nowhere")] },
      one: { "1.0.0": [provides("One")] },
    };
    const given = world({ top: packages.top });
    const plan = soundPlan({ ...given, catalogs: [stocked(packages)] });
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["top"]);
    expect(facts(plan, "top").join("\n")).toContain("Nowhere");
  });

  test("exactly those fall back that depend on one that does", () => {
    const plan = soundPlan(
      world({
        a: { "1.0.0": [], "2.0.0": [needs("Nowhere")] },
        b: { "1.0.0": [], "2.0.0": [needsPackage("a", ">=2.0.0")] },
        c: { "1.0.0": [], "2.0.0": [needsPackage("b", ">=2.0.0")] },
        d: { "1.0.0": [], "2.0.0": [] },
        e: { "1.0.0": [needsPackage("a")], "2.0.0": [needsPackage("b"), needsPackage("d", ">=2.0.0")] },
      }),
    );
    expect(steps(plan)).toEqual([["d.v1.0.0 -> d.v2.0.0", "e.v1.0.0 -> e.v2.0.0"]]);
    expect(heldBack(plan)).toEqual(["a", "b", "c"]);
    const root = "a: a 2.0.0 requires the API Nowhere (example.com/v1), and no operator in the catalogs provides it";
    const [throughB, throughA] = [
      "c: c 2.0.0 requires b >=2.0.0, which is 2.0.0",
      "b: b 2.0.0 requires a >=2.0.0, which is 2.0.0",
    ];
    expect(facts(plan, "a")).toEqual([root, "here/a: you asked for a, which is 2.0.0"]);
    expect(facts(plan, "b")).toEqual([throughA, root, "here/b: you asked for b, which is 2.0.0"]);
    expect(facts(plan, "c")).toEqual([throughB, throughA, root, "here/c: you asked for c, which is 2.0.0"]);
  });

  test("it may contract to what there was", () => {
    const plan = soundPlan(
      world({
        a: { "1.0.0": [], "2.0.0": [needsPackage("b", ">=2.0.0")] },
        b: { "1.0.0": [], "2.0.0": [needsPackage("c", ">=2.0.0")] },
        c: { "1.0.0": [], "2.0.0": [needsPackage("a", ">=2.0.0"), needs("Nowhere")] },
      }),
    );
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["a", "b", "c"]);
  });

  test("an operator that falls back in one generation moves in a later one, when its dependency has come", () => {
    const plan = soundPlan(
      world({
        a: { "1.0.0": [], "2.0.0": [needsPackage("b", ">=3.0.0")], "3.0.0": [] },
        b: { "1.0.0": [], "2.0.0": [], "3.0.0": [] },
      }),
    );
    expect(steps(plan)).toEqual([
      ["b.v1.0.0 -> b.v2.0.0"],
      ["b.v2.0.0 -> b.v3.0.0", "a.v1.0.0 -> a.v2.0.0"],
      ["a.v2.0.0 -> a.v3.0.0"],
    ]);
    expect(heldBack(plan)).toEqual([]);
  });

  test("for any dependencies: all that can move do, in the smallest steps, and no others stay behind", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const graph = fc.record({
      edges: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
        maxLength: 9,
        selector: (edge) => edge.join(),
      }),
      stuck: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(graph, ({ edges, stuck }) => {
        const newer = (owner: string): readonly Property[] => [
          ...edges.filter(([from]) => from === owner).map(([, to]) => needsPackage(to, ">=2.0.0")),
          ...(stuck.includes(owner) ? [needs("Nowhere")] : []),
        ];
        const plan = soundPlan(
          world(Object.fromEntries(names.map((owner) => [owner, { "1.0.0": [], "2.0.0": newer(owner) }]))),
        );
        const reach = new Map(names.map((owner) => [owner, reachable(owner, edges)]));
        const staying = names.filter((owner) => stuck.some((one) => reach.get(owner)?.has(one)));
        expect(heldBack(plan)).toEqual(staying);
        const made = plan.generations.flatMap((one) => one.steps.map((step) => step.changes.map((c) => c.package)));
        expect(plan.generations.length).toBe(staying.length === names.length ? 0 : 1);
        expect(made.flat().toSorted()).toEqual(names.filter((owner) => !staying.includes(owner)));
        for (const [index, step] of made.entries())
          for (const owner of step) {
            // Operators that need each other make one step, and what they need has come by then.
            const circle = names.filter((one) => reach.get(owner)?.has(one) && reach.get(one)?.has(owner));
            expect(step).toEqual(circle);
            const here = new Set(made.slice(0, index + 1).flat());
            expect([...(reach.get(owner) ?? [])].filter((one) => !here.has(one))).toEqual([]);
          }
      }),
      { numRuns: process.env.PLIMSOLL_LONG ? 2_000 : 60 },
    );
  });
});

/** What an operator needs, also through others; always including itself. */
function reachable(start: string, edges: readonly (readonly [string, string])[]): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const one of seen) for (const [from, to] of edges) if (from === one) seen.add(to);
  return seen;
}

describe("an API passes from one operator to another", () => {
  const KEEPER: Versions = { "1.0.0": [provides("Key")], "2.0.0": [] };
  const HEIR: Versions = { "1.0.0": [], "2.0.0": [provides("Key")] };

  test("in one step, if another operator needs it", () => {
    const plan = soundPlan(world({ keeper: KEEPER, heir: HEIR, guest: { "1.0.0": [needs("Key")] } }));
    expect(steps(plan)).toEqual([[["heir.v1.0.0 -> heir.v2.0.0", "keeper.v1.0.0 -> keeper.v2.0.0"]]]);
    const because = plan.generations[0]?.steps[0]?.because
      .map(({ breach }) => breachText(breach, bundleName))
      .join("\n");
    expect(because).toContain("guest.v1.0.0 requires the API Key");
    expect(because).toContain("heir.v2.0.0");
    expect(because).toContain("keeper.v1.0.0");
  });

  test("one after the other, if no operator does", () => {
    const plan = soundPlan(world({ keeper: KEEPER, heir: HEIR }));
    expect(steps(plan)).toEqual([["keeper.v1.0.0 -> keeper.v2.0.0", "heir.v1.0.0 -> heir.v2.0.0"]]);
  });

  test("round in a circle of three", () => {
    const plan = soundPlan(
      world({
        a: { "1.0.0": [provides("One")], "2.0.0": [provides("Two")] },
        b: { "1.0.0": [provides("Two")], "2.0.0": [provides("Three")] },
        c: { "1.0.0": [provides("Three")], "2.0.0": [provides("One")] },
      }),
    );
    expect(steps(plan)).toEqual([[["a.v1.0.0 -> a.v2.0.0", "b.v1.0.0 -> b.v2.0.0", "c.v1.0.0 -> c.v2.0.0"]]]);
    expect(plan.generations[0]?.steps[0]?.because).toHaveLength(3);
  });

  test("not at all while the heir cannot move: then the keeper keeps it, with that reason", () => {
    const heir = { ...HEIR, "2.0.0": [provides("Key"), needs("Nowhere")] };
    const plan = soundPlan(world({ keeper: KEEPER, heir, guest: { "1.0.0": [needs("Key")] } }));
    expect(plan.generations).toEqual([]);
    expect(heldBack(plan)).toEqual(["heir", "keeper"]);
    expect(facts(plan, "keeper").slice(1, 3)).toEqual([
      "guest: guest 1.0.0, which runs, requires the API Key (example.com/v1), which only heir 2.0.0 and keeper 1.0.0 provide",
      "heir: heir 2.0.0 requires the API Nowhere (example.com/v1), and no operator in the catalogs provides it",
    ]);
  });
});
