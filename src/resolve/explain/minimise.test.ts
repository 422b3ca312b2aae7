// Is every explanation minimal? Versions that take no part are not named, requests stay, and where the budget
// ends, what is left is still enough.

import { describe, expect, test } from "vitest";
import { CauseClauses } from "../../../test/explanations/by-clauses.ts";
import { explainedAnswer as resolve } from "../../../test/explanations/explained-answer.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { Population } from "../../../test/explanations/population.ts";
import { Formula } from "../../../test/oracles/formula.ts";
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
import type { Problem, Request } from "../../model/problem.ts";
import { factTexts } from "../../render/sentence/fact.ts";
import type { Question as Asked, Budget, Verdict } from "../../sat/solver.ts";
import { Encoding } from "../encoding.ts";
import { newQuestion } from "../question.ts";
import type { Explanation } from "../resolution.ts";
import type { Cause } from "./cause.ts";
import { type Conflict, ConflictSearch, findConflict } from "./conflict-search.ts";
import { fewest, neededParts } from "./minimise.ts";
import { RuleInstances } from "./rule-instances.ts";
import { type Entry, SwitchedClauses } from "./switched-clauses.ts";
import { type WhyNot, whyNotOf } from "./why-not.ts";

/** Why a package is held back, or has no operator. */
function explanationOf(problem: Problem, owner: string): Explanation {
  const { unsatisfied, heldBack } = resolve(problem);
  const found = [
    ...unsatisfied.filter((one) => one.request.package === owner),
    ...heldBack.filter((one) => one.package === owner),
  ];
  expect(found).toHaveLength(1);
  return (found[0] as (typeof found)[number]).explanation;
}

/** The names of the operators that have each requirement. */
function demanding({ facts, operators }: Explanation): readonly (readonly string[])[] {
  const nameOf = (id: number): string => {
    const operator = operators[id];
    return operator?.catalog === undefined ? `running ${operator?.name}` : operator.name;
  };
  return facts.flatMap((fact) => (fact.kind === "demand" ? [fact.demands.map(({ member }) => nameOf(member))] : []));
}

describe("versions that take no part", () => {
  const older = [needsPackage("lading", "<2.0.0")];
  const broker = { "1.0.0": older, "1.1.0": older, "1.2.0": older, "1.3.0": older };
  const lading = { "1.0.0": [], "2.0.0": [] };
  const requests = [request("lading", { installed: "lading.v1.0.0" })];

  test("are not named next to the installed one", () => {
    const installed = [running("broker.v1.4.0", older), running("lading.v1.0.0")];
    const explanation = explanationOf(
      scene({ catalogs: [stocked({ lading, broker })], installed, requests }),
      "lading",
    );
    expect(demanding(explanation)).toEqual([["running broker.v1.4.0"]]);
    const texts = factTexts(explanation).filter((_, index) => explanation.facts[index]?.rule === "dependency");
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^broker 1\.4\.0, which runs, requires lading <2\.0\.0/);
  });

  test("are named where any of them could be taken", () => {
    const installed = [running("lading.v1.0.0")];
    const catalogs = [stocked({ lading, broker })];
    const problem = scene({ catalogs, installed, requests: [request("broker"), ...requests] });
    expect(demanding(explanationOf(problem, "lading"))).toEqual([
      ["broker.v1.3.0", "broker.v1.2.0", "broker.v1.1.0", "broker.v1.0.0"],
    ]);
  });

  test("are not named if another fact excludes them", () => {
    const versions = { "1.0.0": [needs("Nothing")], "2.0.0": [needs("Nothing"), needs("Neither")] };
    const problem = scene({ catalogs: [stocked({ a: versions })], requests: [request("a")] });
    const explanation = explanationOf(problem, "a");
    // Every version needs Nothing: that 2.0.0 needs something else as well adds nothing.
    expect(demanding(explanation)).toEqual([["a.v2.0.0", "a.v1.0.0"]]);
    expect(explanationText(explanation)).not.toContain("Neither");
  });
});

/** A request that cannot be had beside others, for reasons that are several packages away. */
const RIVALRY: Problem = rivalry();

function rivalry(): Problem {
  const older = [needsPackage("radar", "<2.0.0")];
  const newer = [needsPackage("mast", ">=1.0.0")];
  const tall = [needsPackage("radar", ">=2.0.0")];
  const catalog = stocked({
    watch: { "1.0.0": older, "1.1.0": older, "1.2.0": [...older, needs("Nothing")] },
    scout: { "1.0.0": newer, "1.1.0": newer },
    mast: { "0.9.0": tall, "1.0.0": tall, "1.1.0": tall },
    radar: { "1.0.0": [], "1.1.0": [], "2.0.0": [], "2.1.0": [] },
    other: { "1.0.0": newer },
  });
  return scene({ catalogs: [catalog], requests: [request("other"), request("scout"), request("watch")] });
}

/** Could the package be had beside all others that are asked for? */
function asking(problem: Problem, owner: string): { readonly parts: RuleInstances; readonly whyNot: WhyNot } {
  const question = newQuestion(new Encoding(problem), problem);
  const parts = new RuleInstances(question);
  const own = problem.requests.find((one) => one.package === owner) as Request;
  const satisfied = new Set(problem.requests.filter((one) => one !== own).map(({ id }) => id));
  const achieved = { satisfied, updated: new Set<string>(), given: new Map(), repaired: new Set<string>() };
  return { parts, whyNot: whyNotOf(parts, { kind: "request", request: own }, achieved) };
}

/** Everything that can forbid it, each version with a switch of its own, also of unreachable packages. */
function everything(
  problem: Problem,
  owner: string,
  also: readonly string[] = [],
): { readonly switched: SwitchedClauses; readonly entries: readonly Entry[] } {
  const { parts, whyNot } = asking(problem, owner);
  const switched: SwitchedClauses = new SwitchedClauses(parts, true, (node) => switched.add(parts.of(node)));
  switched.add([...whyNot.goal, ...whyNot.requests]);
  const { world } = parts.question.encoding;
  for (const other of also) for (const node of world.chainsOf(world.packageNameOf(other))) switched.add(parts.of(node));
  return { switched, entries: [...switched.entries.values()] };
}

const ENOUGH: Budget = { conflicts: 1_000_000, propagations: 1_000_000 };
const NOTHING: Budget = { conflicts: 0, propagations: 0 };

/** A budget for this number of questions, and nothing for those after them. */
function questions(count: number): () => Budget {
  let left = count;
  return () => (left-- > 0 ? { ...ENOUGH } : { ...NOTHING });
}

/** The same clauses with a solver that does not report which causes it needed. */
function mute({ solver }: SwitchedClauses): SwitchedClauses {
  const solve = (whyNot: Asked): Verdict => {
    const verdict = solver.solve(whyNot);
    return verdict.kind === "unsatisfiable" ? { ...verdict, core: whyNot.assumptions } : verdict;
  };
  return { solver: { solve } } as unknown as SwitchedClauses;
}

describe("requests stay", () => {
  test("where rules about another candidate would do as well", () => {
    // b 2.0.0 is impossible alone, and also because of c.
    const none = constraint({ none: { constraints: [{ package: { packageName: "b", versionRange: ">=2.0.0" } }] } });
    const catalog = stocked({
      a: { "1.0.0": [provides("K")] },
      b: { "1.0.0": [provides("K")], "2.0.0": [needs("Nothing")] },
      c: { "1.0.0": [none] },
    });
    const problem = scene({ catalogs: [catalog], requests: ["a", "b", "c"].map((owner) => request(owner)) });
    const { switched, entries } = everything(problem, "a");
    const few = fewest(mute(switched), entries, questions(1_000));
    expect(few?.isMinimal).toBe(true);
    const keys = few?.entries.map(({ key }) => key) ?? [];
    expect(keys).toEqual(expect.arrayContaining(["goal here/a", "request here/b", "request here/c"]));
    expect(keys.some((key) => key.startsWith("demand b "))).toBe(false);
  });
});

test("versions are removed one by one if the solver's core does not show which it needed", () => {
  const { switched, entries } = everything(RIVALRY, "watch", ["mast"]);
  const few = fewest(mute(switched), entries, questions(1_000))?.entries ?? [];
  const needed = neededParts(mute(switched), few, questions(1_000)).flat();
  const masts = needed.flatMap(({ part }) =>
    part.kind === "demand" && part.owner === "mast" && "bundle" in part.member ? [part.member.bundle.name] : [],
  );
  expect(masts.toSorted()).toEqual(["mast.v1.0.0", "mast.v1.1.0"]);
});

describe("where the budget ends", () => {
  test("at once, there are no facts", () => {
    const { switched, entries } = everything(RIVALRY, "watch", ["mast"]);
    expect(fewest(switched, entries, questions(0))).toBeUndefined();
  });

  test("later, the explanation is not reported as minimal", () => {
    const whole = everything(RIVALRY, "watch", ["mast"]);
    const best = fewest(whole.switched, whole.entries, questions(1_000));
    expect(best?.isMinimal).toBe(true);
    const areMinimal: boolean[] = [];
    for (let count = 1; count < 30; count++) {
      const { switched, entries } = everything(RIVALRY, "watch", ["mast"]);
      const few = fewest(switched, entries, questions(count));
      if (few === undefined) continue;
      areMinimal.push(few.isMinimal);
      expect(few.entries.length).toBeGreaterThanOrEqual(few.isMinimal ? 1 : (best?.entries.length ?? 0));
    }
    expect(areMinimal).toContain(false);
    expect(areMinimal.at(-1)).toBe(true);
    // Once it is enough, more does not make it less.
    expect(areMinimal.indexOf(true)).toBe(areMinimal.lastIndexOf(false) + 1);
  });

  test("before versions are left out, all of them stay", () => {
    const { switched, entries } = everything(RIVALRY, "watch", ["mast"]);
    const few = fewest(switched, entries, questions(1_000))?.entries ?? [];
    const all = few.map(({ parts }) => parts.length);
    expect(neededParts(switched, few, questions(0)).map((parts) => parts.length)).toEqual(all);
    const needed = neededParts(switched, few, questions(1_000)).map((parts) => parts.length);
    expect(Math.min(...needed)).toBeGreaterThan(0);
    expect(needed.some((count, index) => count < (all[index] ?? 0))).toBe(true);
  });

  test("the facts rule it out, and each is about something", async () => {
    const population = new Population(RIVALRY);
    const formula = await Formula.begin();
    try {
      const clauses = new CauseClauses(formula, population);
      const kinds = new Set<string>();
      for (let left = 0; left < 2_500; left += 13) {
        const conflict = conflictWith(left);
        kinds.add(conflict.kind === "impossible" ? `minimal ${conflict.isMinimal}` : conflict.kind);
        if (conflict.kind !== "impossible") continue;
        expect({ left, faults: faultsOf(conflict.causes, conflict.isMinimal, clauses) }).toEqual({ left, faults: [] });
      }
      expect([...kinds].sort()).toEqual(["minimal false", "minimal true", "undecided"]);
    } finally {
      formula.end();
    }
  });
});

function conflictWith(left: number): Conflict {
  const { parts, whyNot } = asking(RIVALRY, "watch");
  return findConflict(new ConflictSearch(parts), whyNot, { left, conflicts: 20_000, isLate: () => false });
}

function faultsOf(causes: readonly Cause[], isMinimal: boolean, clauses: CauseClauses): readonly string[] {
  const needless = causes.filter((cause) => !clauses.isPossible(causes.filter((other) => other !== cause)));
  return [
    ...(clauses.isPossible(causes) ? ["the causes do not forbid it"] : []),
    ...(isMinimal ? needless.map(({ kind }) => `${kind} is superfluous`) : []),
    ...(causes.some(({ kind }) => kind === "unavailable") ? ["every catalog is available"] : []),
    ...(causes.some((cause) => cause.kind === "wanted" && cause.why === "goal") ? [] : ["no request"]),
  ];
}
