import { describe, expect, test } from "vitest";
import { bundle } from "../../../test/catalog/lantern-catalog.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { generateWorld } from "../../../test/worlds/generate.ts";
import {
  constraint,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../../test/worlds/scene.ts";
import type { Package, Property } from "../../model/catalog.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../model/problem.ts";
import { factTexts } from "../../render/sentence/fact.ts";
import { fixText } from "../../render/sentence/fix.ts";
import { brokenText } from "../../render/sentence/rule.ts";
import { parseRange, type Range, rangeOutline } from "../../semver/blang-range.ts";
import { printVersion, readVersion } from "../../semver/version.ts";
import type { Resolution } from "../resolution.ts";
import { resolve } from "../resolve.ts";
import { type Change, changed, changedByAll } from "../what-if.ts";
import { answerTo, type Topic } from "./found-answer.ts";
import { explain } from "./subject.ts";
import type { Try } from "./why-absent.ts";

const CATALOG = stocked({
  lantern: { "1.0.0": [needs("Fuel")], "2.0.0": [needs("Fuel"), needsPackage("glass")] },
  "lamp-oil": { "1.0.0": [provides("Fuel")], "2.0.0": [provides("Fuel"), needs("Barrel")] },
  glass: { "1.0.0": [] },
  bell: { "1.0.0": [], "1.1.0": [] },
  keeper: { "1.0.0": [needsPackage("lantern")] },
});

function about(name: string, version?: string): Topic {
  return { package: name, version: version === undefined ? undefined : readVersion(version) };
}

function asking(...packages: readonly string[]): Problem {
  return scene({ catalogs: [CATALOG], requests: packages.map((one) => request(one)) });
}

describe("chosen", () => {
  test("a requested operator", () => {
    const answer = explain(asking("bell"), about("bell"));
    expect(answer).toMatchObject({ verdict: "chosen", undecided: false, tries: [], whoNeeds: [] });
    expect(explanationText(answer.explanation)).toBe("You asked for bell; bell 1.1.0 is the newest in channel stable.");
    expect(answer.explanation.facts).toMatchObject([{ rule: "subscription", subject: "here/bell" }]);
    expect(factTexts(answer.explanation)).toEqual(["you asked for bell"]);
  });

  test("the whole chain from the request to what is needed, and why it is not newer", () => {
    const answer = explain(asking("keeper"), about("lamp-oil"));
    expect(answer.verdict).toBe("chosen");
    expect(explanationText(answer.explanation).split("\n")).toEqual([
      "1. You asked for keeper; keeper 1.0.0 is the only version in channel stable.",
      expect.stringMatching(
        /^2\. keeper 1\.0\.0 requires .*lantern.*; lantern 1\.0\.0 is, of 2 matching bundles, the best/,
      ),
      expect.stringMatching(
        /^3\. lantern 1\.0\.0 requires .*Fuel \(.*\); lamp-oil 1\.0\.0 is, of 2 matching bundles, the best/,
      ),
    ]);
    expect(answer.available).toMatchObject([{ name: "lamp-oil.v2.0.0" }]);
    expect(explanationText(answer.notNewer)).toContain("lamp-oil 2.0.0");
    expect(answer.notNewer?.facts.map(({ rule }) => rule)).toContain("dependency");
  });

  test("what runs and stays", () => {
    const answer = explain(scene({ catalogs: [CATALOG], installed: [running("bell.v1.1.0")] }), about("bell"));
    expect(answer.verdict).toBe("chosen");
    expect(explanationText(answer.explanation)).toBe("bell 1.1.0 runs and stays: no Subscription claims it.");
  });

  test("an update names its edge", () => {
    const problem = scene({
      catalogs: [CATALOG],
      installed: [running("bell.v1.0.0")],
      requests: [request("bell", { installed: "bell.v1.0.0" })],
    });
    expect(explanationText(explain(problem, about("bell")).explanation)).toContain(
      "bell 1.0.0 goes to bell 1.1.0, newest reachable from 1.0.0 in channel stable (replaces)",
    );
  });
});

describe("another version", () => {
  test("that no rule excludes: what would be worse, and the request that brings it", () => {
    const problem = asking("bell");
    const answer = explain(problem, about("bell", "1.0.0"));
    expect(answer).toMatchObject({ verdict: "notRequested", preferred: { objective: "candidates" } });
    expect(explanationText(answer.explanation)).toBe(
      "No rule forbids it, but your request for bell gets its best candidate, and bell 1.1.0 ranks before bell 1.0.0.",
    );
    const [wanted] = answer.tries;
    expect(wanted).toMatchObject({ how: "instead", brings: [{ name: "bell.v1.0.0" }] });
    const then = resolve(changed(problem, { kind: "instead", request: wanted?.request ?? { package: "" } }));
    expect(then.operators.map(({ name }) => name)).toEqual(["bell.v1.0.0"]);
  });

  test("that a rule forbids", () => {
    const answer = explain(asking("lantern"), about("lamp-oil", "2.0.0"));
    expect(answer).toMatchObject({ verdict: "refused", undecided: false, tries: [] });
    expect(answer.explanation.facts).not.toEqual([]);
  });

  test("of something that serves others: the order of providers decides", () => {
    const catalog = stocked({
      lantern: { "1.0.0": [needs("Fuel")] },
      oil: { "1.0.0": [provides("Fuel")], "2.0.0": [provides("Fuel")] },
    });
    const answer = explain(scene({ catalogs: [catalog], requests: [request("lantern")] }), about("oil", "1.0.0"));
    expect(answer.preferred?.objective).toBe("providers");
    expect(explanationText(answer.explanation)).toContain("among those that can serve oil 2.0.0 comes first");
    expect(answer.tries).toMatchObject([{ how: "add", brings: [{ name: "oil.v1.0.0" }] }]);
  });
});

describe("absent", () => {
  test("refused: it is requested and not possible", () => {
    const catalog = stocked({ lantern: { "1.0.0": [needs("Fuel")] } });
    const problem = scene({ catalogs: [catalog], requests: [request("lantern")] });
    const answer = explain(problem, about("lantern"));
    expect(answer).toMatchObject({ verdict: "refused", undecided: false, operators: [] });
    expect(explanationText(answer.explanation)).toContain("Fuel");
    expect(explain(problem, about("lantern", "1.0.0"))).toMatchObject({ verdict: "refused", undecided: false });
  });

  test("undecided: a catalog that might help is not there", () => {
    const catalog = stocked({ lantern: { "1.0.0": [needs("Fuel")] } });
    const unavailable = [{ name: "far", priority: 0, reason: "no route" }];
    const answer = explain(
      scene({ catalogs: [catalog], unavailable, requests: [request("lantern")] }),
      about("lantern"),
    );
    expect(answer).toMatchObject({ verdict: "refused", undecided: true });
  });

  test("not requested: what it would bring", () => {
    const answer = explain(asking("bell"), about("keeper"));
    expect(answer).toMatchObject({
      verdict: "notRequested",
      tries: [
        {
          how: "add",
          request: { package: "keeper" },
          brings: [{ name: "keeper.v1.0.0" }, { name: "lamp-oil.v1.0.0" }, { name: "lantern.v1.0.0" }],
        },
      ],
    });
  });

  test("not requested, and not possible", () => {
    const catalog = stocked({ bell: { "1.0.0": [] }, lantern: { "1.0.0": [needs("Fuel")] } });
    const answer = explain(scene({ catalogs: [catalog], requests: [request("bell")] }), about("lantern"));
    expect(answer).toMatchObject({ verdict: "notRequested", tries: [] });
    expect(explanationText(answer.explanation)).toContain("Fuel");
  });

  test("not requested, and not possible in this version: fixes for another version are separate", () => {
    const catalog = stocked({ bell: { "1.0.0": [], "2.0.0": [needs("Bronze")] } });
    const answer = explain(scene({ catalogs: [catalog] }), about("bell", "2.0.0"));
    expect(answer.instead.map(({ changes }) => changes[0])).toMatchObject([
      { kind: "instead", request: { package: "bell" } },
    ]);
    expect(answer.explanation.fixes.map(({ changes }) => changes[0]?.kind)).toEqual(["declare"]);
    expect(explain(scene({ catalogs: [catalog] }), about("bell")).instead).toEqual([]);
  });

  test("a pending approval is reported", () => {
    const answer = explain(
      scene({ catalogs: [CATALOG], requests: [request("bell", { approval: "Manual" })] }),
      about("bell"),
    );
    expect(answer).toMatchObject({ verdict: "heldBack", available: [{ name: "bell.v1.1.0" }] });
    expect(explanationText(answer.explanation)).toBe(
      "Subscription here/bell requires approval (installPlanApproval: Manual).",
    );
    expect(answer.explanation.fixes).toMatchObject([{ changes: [{ kind: "approve", package: "bell" }] }]);
    expect(answer.pending).toHaveLength(1);
  });
});

describe("what others lose by it", () => {
  test("nothing is advised that breaks another operator", () => {
    const catalogs = [stocked({ a: { "1.0.0": [], "2.0.0": [provides("K")] } })];
    const [a, x] = [running("a.v1.0.0"), running("x.v1.0.0", [provides("K")])];
    const requests = [request("a", { installed: "a.v1.0.0" })];
    const advised = (installed: Problem["installed"]): readonly unknown[] => {
      const { explanation, tries } = explain(scene({ catalogs, installed, requests }), about("a", "2.0.0"));
      return [...explanation.fixes, ...tries.map((one) => one.after)].map((fix) => fix?.changes);
    };
    expect(advised([a, x])).toEqual([[{ kind: "remove", package: "x" }]]);
    expect(advised([a, x, running("y.v1.0.0", [needsPackage("x")])])).toEqual([]);
  });

  /** The versions of two packages cannot agree on a third. */
  const rivals = (older: readonly Property[]): Problem["catalogs"] => [
    stocked({
      alpha: { "1.0.0": older, "2.0.0": [needsPackage("q", "1.0.0")] },
      q: { "1.0.0": [], "2.0.0": [] },
      zeta: { "1.0.0": older, "2.0.0": [needsPackage("q", "2.0.0")] },
    }),
  ];

  test("a try has the result of its command: an earlier name may make others worse", () => {
    const problem = scene({ catalogs: rivals([]), requests: [request("zeta")] });
    const { verdict, tries } = explain(problem, about("alpha"));
    expect(verdict).toBe("notRequested");
    const then = resolve(changed(problem, { kind: "ask", request: { package: "alpha" } }));
    const names = then.operators.map(({ name }) => name);
    expect(names).toEqual(["alpha.v2.0.0", "q.v1.0.0", "zeta.v1.0.0"]);
    expect(tries).toMatchObject([
      {
        brings: names.map((name) => ({ name })),
        loss: {
          broken: [],
          requests: [],
          changed: [
            { before: { name: "q.v2.0.0" }, after: { name: "q.v1.0.0" } },
            { before: { name: "zeta.v2.0.0" }, after: { name: "zeta.v1.0.0" } },
          ],
        },
      },
    ]);
    const other = explain(scene({ catalogs: rivals([]), requests: [request("alpha")] }), about("zeta"));
    expect(other.tries).toMatchObject([{ brings: [{ name: "zeta.v1.0.0" }], loss: { changed: [] } }]);
  });

  test("if other requests would lose their operator, it is not possible next to them", () => {
    const catalogs = rivals([needs("Nothing")]);
    for (const [asked, other] of [
      ["zeta", "alpha"],
      ["alpha", "zeta"],
    ] as const) {
      const problem = scene({ catalogs, requests: [request(asked)] });
      const { verdict, explanation, tries, undecided } = explain(problem, about(other));
      expect([verdict, undecided]).toEqual(["notRequested", false]);
      expect(factTexts(explanation)).toContain(`you asked for ${asked}`);
      expect(factTexts(explanation)).not.toContain(`you asked for ${other}`);
      const helps = [...explanation.fixes, ...tries.flatMap((one) => one.after ?? [])].map(({ changes }) => changes);
      expect(helps).toContainEqual([{ kind: "drop", package: asked }]);
    }
    const answer = explain(scene({ catalogs, requests: [request("zeta")] }), about("alpha"));
    expect(explanationText(answer.explanation)).toMatch(
      /\nIf it is requested all the same, your request for zeta has no operator\.$/,
    );
  });
});

test("a request made only for the question is the goal, not a fact", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [needs("Bronze")] } })];
  const { explanation } = explain(scene({ catalogs }), about("bell"));
  const { facts, body } = explanation;
  expect(factTexts(explanation)).toContain("the question is whether bell 1.0.0 can be installed");
  expect(factTexts(explanation)).not.toContain("you asked for bell");
  for (const fact of facts) if (fact.kind === "wanted") expect(fact.request).toBeUndefined();
  expect(body.kind).toBe("proof");
});

test("held back: it is there, and a better one is on offer", () => {
  const problem = scene({
    catalogs: [CATALOG],
    installed: [running("bell.v1.0.0"), running("clock.v1.0.0", [needsPackage("bell", "1.0.0")])],
    requests: [request("bell", { installed: "bell.v1.0.0" })],
  });
  const answer = explain(problem, about("bell"));
  expect(answer).toMatchObject({ verdict: "heldBack", available: [{ name: "bell.v1.1.0" }] });
  expect(factTexts(answer.explanation).join()).toContain("clock");
});

describe("what runs and is replaced by another package", () => {
  const RENAMED = [
    { schema: "olm.package", name: "new", defaultChannel: "stable" },
    {
      schema: "olm.channel",
      package: "new",
      name: "stable",
      entries: [{ name: "new.v2.0.0", replaces: "old.v1.1.0" }],
    },
    bundle("new", "2.0.0", [{ type: "olm.gvk", value: provides("Fuel").value }]),
  ];
  const problem = scene({
    catalogs: [stocked({ old: { "1.0.0": [provides("Fuel")], "1.1.0": [provides("Fuel")] } }, {}, RENAMED)],
    installed: [running("old.v1.1.0", [provides("Fuel")]), running("lamp.v1.0.0", [needs("Fuel")])],
    requests: [request("new", { installed: "old.v1.1.0" })],
  });

  test.each([undefined, "1.1.0"])("it becomes the other one: %s", (version) => {
    const answer = explain(problem, about("old", version), { withLoss: true });
    expect(answer).toMatchObject({ verdict: "replaced", undecided: false, tries: [], unsatisfied: [] });
    expect(answer.operators.map(({ name }) => name)).toEqual(["new.v2.0.0"]);
    expect(explanationText(answer.explanation)).toContain("old 1.1.0 goes to new 2.0.0");
    expect(answer.whoNeeds.map(({ name }) => name)).toEqual(["lamp.v1.0.0"]);
  });

  test("another version of it cannot be reached", () => {
    const answer = explain(problem, about("old", "1.0.0"));
    expect(answer).toMatchObject({ verdict: "refused", tries: [] });
    expect(answer.operators.map(({ name }) => name)).toEqual(["new.v2.0.0"]);
  });

  test("no catalog has to have it", () => {
    const answer = explain({ ...problem, catalogs: [stocked({}, {}, RENAMED)] }, about("old"));
    expect(answer).toMatchObject({ verdict: "replaced", tries: [] });
  });

  test("until that is approved it stays, and that is reported", () => {
    const manual = { ...problem, requests: [request("new", { installed: "old.v1.1.0", approval: "Manual" })] };
    const answer = explain(manual, about("old"));
    expect(answer).toMatchObject({
      verdict: "heldBack",
      pending: [{ changes: [{ package: "new", from: { name: "old.v1.1.0" } }] }],
    });
    expect(explanationText(answer.explanation)).toBe(
      "Subscription here/new requires approval (installPlanApproval: Manual).",
    );
    expect(answer.explanation.fixes).toMatchObject([{ changes: [{ kind: "approve", package: "new" }] }]);
  });

  test("the other package is reported as an update", () => {
    expect(explain(problem, about("new")).verdict).toBe("chosen");
  });
});

test("what waits for approval, and would not be the newest even then", () => {
  const entries = [
    { name: "bell.v1.2.0", replaces: "bell.v1.1.0", skips: ["bell.v1.0.0"] },
    { name: "bell.v1.1.0", replaces: "bell.v1.0.0" },
  ];
  const documents = [
    { schema: "olm.package", name: "bell", defaultChannel: "stable" },
    { schema: "olm.channel", package: "bell", name: "stable", entries },
    bundle("bell", "1.1.0"),
    bundle("bell", "1.2.0", [{ type: "olm.package.required", value: { packageName: "rope", versionRange: "1.0.0" } }]),
  ];
  const catalogs = [stocked({}, {}, documents)];
  const answer = explain(
    scene({
      catalogs,
      installed: [running("bell.v1.0.0")],
      requests: [request("bell", { installed: "bell.v1.0.0", approval: "Manual" })],
    }),
    about("bell"),
  );
  expect(answer.verdict).toBe("heldBack");
  expect(explanationText(answer.explanation)).toContain("requires approval");
  expect(answer.available).toMatchObject([{ name: "bell.v1.2.0" }, { name: "bell.v1.1.0" }]);
  expect(explanationText(answer.notNewer)).toContain("rope");
});

test("of all or nothing it was nothing", () => {
  const problem = scene({ catalogs: [CATALOG], requests: [request("bell"), request("gone")] }, { allOrNothing: true });
  expect(explain(problem, about("bell"))).toMatchObject({ verdict: "refused" });
  const answer = explain(problem, about("bell", "1.0.0"));
  expect(answer).toMatchObject({
    verdict: "refused",
    tries: [{ how: "instead", after: { changes: [{ kind: "partly" }] } }],
  });
});

test("with OLM's rules what is broken stops everything", () => {
  const installed = [running("clock.v1.0.0", [needs("Rope")])];
  const problem = scene({ catalogs: [CATALOG], installed, requests: [request("bell")] }, { compat: true });
  expect(explain(problem, about("bell"))).toMatchObject({ verdict: "refused" });
  expect(explain(problem, about("bell", "1.0.0"))).toMatchObject({ verdict: "refused" });
  expect(explain(problem, about("clock"))).toMatchObject({ verdict: "chosen" });
});

test("an unknown package is not possible", () => {
  const answer = explain(asking("bell"), about("nothing"));
  expect(answer).toMatchObject({ verdict: "notRequested", tries: [] });
  expect(explanationText(answer.explanation)).toContain("nothing");
});

test("the exact range of a request is its version", () => {
  const [wanted] = explain(asking("bell"), about("bell", "1.0.0")).tries;
  expect(wanted?.request.range).toEqual(rangeOutline(parseRange("1.0.0") as Range));
});

const WORLDS = process.env.PLIMSOLL_LONG ? 600 : 40;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 5) * 1_000_000;

/** The versions of a package that run, or will run after an approval. */
function reached({ operators, pendingApproval }: Resolution, { name, bundles }: Package): ReadonlySet<string> {
  const there = operators.filter((one) => one.package === name).map(({ version }) => version ?? "");
  const waiting = pendingApproval.flatMap(({ changes }) => changes.flatMap(({ to }) => bundles.get(to.name) ?? []));
  return new Set([...there, ...waiting.map(({ version }) => printVersion(version))]);
}

/** The problem after a try and the fix that it needs. */
function after(problem: Problem, { how, request, after: fix }: Try): Problem {
  const then = changedByAll(problem, fix?.changes ?? []);
  return changed(then, { kind: how === "instead" ? "instead" : "ask", request });
}

/** The requests that have an operator before and none after, and what is broken only after. */
function losses(before: Resolution, then: Resolution): readonly string[] {
  const known = [
    ...before.unsatisfied.map(({ request: { id } }) => id),
    ...before.broken.map((rule) => brokenText(rule)),
  ];
  const now = [...then.unsatisfied.map(({ request: { id } }) => id), ...then.broken.map((rule) => brokenText(rule))];
  return now.filter((one) => !known.includes(one));
}

test("in every world, of every version: the verdict is true, and what is advised gets it", () => {
  const seen = { fix: 0, asked: 0, add: 0, instead: 0 };
  for (let number = 0; number < WORLDS; number++) {
    const problem = generateWorld(FIRST + number);
    const resolution = resolve(problem);
    for (const owner of problem.catalogs.flatMap(({ packages }) => [...packages.values()]))
      for (const { version } of owner.bundles.values()) {
        const { verdict, explanation, tries } = explain(problem, { package: owner.name, version });
        const isThere = (found: Resolution): boolean => reached(found, owner).has(printVersion(version));
        const label = `${number}: ${owner.name} ${printVersion(version)} is ${verdict}`;
        expect(verdict === "chosen" || verdict === "heldBack", label).toBe(isThere(resolution));
        for (const one of tries) {
          seen[one.how]++;
          const then = resolve(after(problem, one));
          expect(isThere(then), label).toBe(true);
          const { requests, broken } = one.loss;
          const expected = [...requests.map(({ id }) => id), ...broken.map((rule) => brokenText(rule))];
          expect(losses(resolution, then), label).toEqual(expected);
          if (expected.length > 0) expect(one, label).toMatchObject({ how: "add", after: undefined });
        }
        if (verdict !== "refused" && verdict !== "notRequested") continue;
        const range = rangeOutline(parseRange(printVersion(version)) as Range);
        const ask: readonly Change[] =
          verdict === "refused" ? [] : [{ kind: "ask", request: { package: owner.name, range } }];
        for (const { changes } of explanation.fixes) {
          seen[verdict === "refused" ? "fix" : "asked"]++;
          const then = resolve(changedByAll(problem, [...ask, ...changes]));
          expect(isThere(then), label).toBe(true);
          expect(losses(resolution, then), label).toEqual([]);
        }
      }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
});

/** One operator more than there are versions of which no two can run together; only the solver sees that it is too many. */
function crowd(places: number, maxConflicts: number = DEFAULT_OPTIONS.maxConflicts): Problem {
  const names = Array.from({ length: places + 1 }, (_, index) => `pigeon-${index}`);
  const beside = (others: readonly string[], version: string): readonly Property[] =>
    others.map((packageName) =>
      constraint({ none: { constraints: [{ package: { packageName, versionRange: version } }] } }),
    );
  const versions = Array.from({ length: places }, (_, index) => `1.${index}.0`);
  const packages = names.map((name, index) => [
    name,
    Object.fromEntries(versions.map((version) => [version, beside(names.slice(0, index), version)])),
  ]);
  return scene(
    { catalogs: [stocked(Object.fromEntries(packages))], requests: names.map((name) => request(name)) },
    { maxConflicts },
  );
}

describe("a reason that was not found", () => {
  test("in time does not make a refusal uncertain", () => {
    const problem = crowd(4);
    let asked = 0;
    answerTo(problem, () => {
      asked++;
      return false;
    });
    let left = asked;
    const answer = explain(problem, about("pigeon-4"), { stop: () => --left < 0 });
    expect(answer).toMatchObject({ verdict: "refused", undecided: false });
    expect(explanationText(answer.explanation)).toBe("the time limit was reached before the reason was found");
    expect(answer.explanation).toMatchObject({
      facts: [],
      isCutOff: true,
    });
  });

  test("within its limit leaves what needs no reason: to drop another request", () => {
    const answer = explain(crowd(6, 300), about("pigeon-6"));
    expect(answer).toMatchObject({ verdict: "refused", undecided: false });
    expect(answer.explanation.facts).toEqual([]);
    expect(answer.explanation.fixes.map(fixText)).toEqual([
      "drop the request for pigeon-0",
      "drop the request for pigeon-1",
    ]);
  });
});
