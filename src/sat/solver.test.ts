// Does the solver cope with larger problems, with limits and with odd input?

import { describe, expect, test } from "vitest";
import { addGroup, ample, inOrder, solverFor } from "../../test/sat/brute-force.ts";
import { type Literal, negate, positive } from "./literal.ts";
import { luby } from "./luby.ts";
import { Solver } from "./solver.ts";

/** One pigeon more than holes: impossible, unless `unless` is true. */
function pigeons(solver: Solver, holes: number, ...unless: readonly Literal[]): Literal[] {
  const places = Array.from({ length: holes + 1 }, () =>
    Array.from({ length: holes }, () => positive(solver.newVariable())),
  );
  for (const row of places) solver.addClause([...row, ...unless]);
  for (let hole = 0; hole < holes; hole++) {
    addGroup(
      solver,
      places.map((row) => row[hole] as Literal),
    );
  }
  return places.flat();
}

/** A fixed sequence of numbers without a pattern. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Clauses of three literals that have a hidden model. */
function planted(variables: number, clauses: number, seed: number): Literal[][] {
  const next = numbers(seed);
  const model = Array.from({ length: variables }, (_, i) => positive(i) + next(2));
  const problem: Literal[][] = [];
  while (problem.length < clauses) {
    const clause = [next(2 * variables), next(2 * variables), next(2 * variables)];
    if (clause.some((literal) => literal === model[literal >> 1])) problem.push(clause);
  }
  return problem;
}

/** Packages of bundles, of which at most one each is chosen; bundles need others; some packages are asked for. */
function packages(seed: number, lazy: boolean): readonly string[] {
  const next = numbers(seed);
  const solver = new Solver();
  const versions = 5;
  const bundles = Array.from({ length: 60 * versions }, () => positive(solver.newVariable()));
  const someOf = (): Literal[] =>
    bundles
      .slice(versions * next(60))
      .slice(next(3))
      .slice(0, 1 + next(3));
  const needs = bundles.map(() =>
    Array.from({ length: next(3 + seed) === 0 ? 0 : 1 + next(3) }, () =>
      next(5) > 0 ? someOf() : [...someOf(), ...someOf()],
    ),
  );
  const asked = Array.from({ length: 6 }, (_, i) => bundles.slice(50 * i, 50 * i + versions));
  const groups = Array.from({ length: 60 }, () => solver.newGroup());
  const load = (variable: number): void => {
    const bundle = positive(variable);
    solver.addToGroup(groups[Math.floor(variable / versions)] as number, bundle);
    for (const list of needs[variable] ?? []) solver.addClause([negate(bundle), ...list]);
  };
  solver.onTrue = load;
  bundles.forEach((bundle, variable) => {
    if (lazy) solver.watchTrue(bundle >> 1);
    else load(variable);
  });
  const preference = (): Literal => {
    const lists = [...asked];
    const chosen = new Set<Literal>();
    for (const list of lists) {
      if (list.some((bundle) => chosen.has(bundle))) continue;
      const first = list.find((bundle) => solver.value(bundle) !== -1);
      if (first === undefined) continue;
      if (solver.value(first) === 0) return first;
      chosen.add(first);
      lists.push(...(needs[first >> 1] ?? []));
    }
    return -1;
  };
  const statements = asked.map((list) => {
    const statement = positive(solver.newVariable());
    solver.addClause([negate(statement), ...list]);
    return statement;
  });
  return [statements.slice(0, 2), statements.slice(1, 5), statements].map((assumptions) => {
    const verdict = solver.solve({ assumptions, preference, budget: ample() });
    if (verdict.kind !== "satisfiable") return verdict.kind;
    const chosen = bundles.filter((bundle) => solver.inModel(bundle));
    for (const bundle of chosen) {
      expect((needs[bundle >> 1] ?? []).every((list) => list.some((one) => chosen.includes(one)))).toBe(true);
    }
    expect(new Set(chosen.map((bundle) => Math.floor((bundle >> 1) / versions))).size).toBe(chosen.length);
    // Without the order the answer may be another one, and may depend on what was there before.
    return verdict.preferred ? String(chosen) : "satisfiable";
  });
}

describe("larger problems", () => {
  test("bundles that are loaded when they are needed give the same best answers", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 150; seed++) {
      const eager = packages(seed, false);
      expect(packages(seed, true)).toEqual(eager);
      for (const one of eager) kinds.add(one.replace(/^[0-9].*/, "best"));
    }
    expect([...kinds].sort()).toEqual(["best", "unsatisfiable"]);
  });

  test("six holes do not hold seven pigeons, ordered or not", () => {
    for (const ordered of [false, true]) {
      const solver = new Solver();
      const places = pigeons(solver, 6);
      const preference = ordered ? inOrder(solver, places) : undefined;
      expect(solver.solve({ assumptions: [], preference, budget: ample() })).toEqual({
        kind: "unsatisfiable",
        core: [],
      });
      expect(solver.solve({ assumptions: [0], budget: ample() })).toEqual({ kind: "unsatisfiable", core: [] });
    }
  });

  test("twelve holes: gives up when the conflicts are spent, and keeps few clauses", () => {
    const solver = new Solver();
    const places = pigeons(solver, 12);
    const budget = { conflicts: 20_000, propagations: 100_000_000 };
    expect(solver.solve({ assumptions: [], preference: inOrder(solver, places), budget }).kind).toBe("undecided");
    expect(budget.conflicts).toBe(0);
    expect(solver.clauses).toBeLessThan(8000);
    expect(solver.statistics.forgotten).toBeGreaterThan(10_000);
    // Undecided is no final word.
    expect(solver.solve({ assumptions: [], budget: { conflicts: 10, propagations: 10_000 } }).kind).toBe("undecided");
  });

  test.each([
    [4, true],
    [9, false],
  ])(
    "wanting %i holes to be enough: an answer all the same, the best one if that is easy to see",
    (holes, preferred) => {
      const solver = new Solver();
      const enough = positive(solver.newVariable());
      const places = pigeons(solver, holes, negate(enough));
      const preference = inOrder(solver, [enough, ...places]);
      const verdict = solver.solve({ assumptions: [], preference, budget: ample() });
      expect(verdict).toEqual({ kind: "satisfiable", preferred });
      expect(solver.inModel(enough)).toBe(false);
    },
  );

  test("propagations are limited as well", () => {
    const solver = new Solver();
    const places = pigeons(solver, 12);
    const budget = { conflicts: 20_000, propagations: 5000 };
    expect(solver.solve({ assumptions: places.slice(0, 1), budget }).kind).toBe("undecided");
    expect(budget.propagations).toBeLessThan(0);
    expect(budget.propagations).toBeGreaterThan(-1000);
  });

  test.each([1, 2, 3, 4])("a hidden model is found, learning and forgetting (%i)", (seed) => {
    const clauses = planted(220, 920, seed);
    const solver = solverFor({ variables: 220, clauses, groups: [] });
    const next = numbers(seed + 100);
    const wanted = Array.from({ length: 12 }, () => next(440));
    for (let turn = 0; turn < 12; turn++) {
      const assumptions = wanted.slice(0, turn);
      const preference = turn % 2 === 0 ? undefined : inOrder(solver, wanted);
      const verdict = solver.solve({ assumptions, preference, budget: ample() });
      if (verdict.kind === "satisfiable") {
        expect(clauses.every((clause) => clause.some((literal) => solver.inModel(literal)))).toBe(true);
        expect(assumptions.every((literal) => solver.inModel(literal))).toBe(true);
      } else expect(turn).toBeGreaterThan(0);
    }
  });

  test("the same work in every run", () => {
    const [one, other] = [1, 2].map(() => {
      const solver = solverFor({ variables: 150, clauses: planted(150, 640, 7), groups: [] });
      const kinds = Array.from({ length: 10 }, (_, i) => {
        const preference = i % 3 === 0 ? undefined : inOrder(solver, [i, 2 * i + 11, 4 * i + 30]);
        return solver.solve({ assumptions: [3 * i, 5 * i + 1], preference, budget: ample() }).kind;
      });
      return { kinds, statistics: solver.statistics };
    });
    expect(one).toEqual(other);
    expect(one?.statistics.conflicts).toBeGreaterThan(0);
  });

  test("ten thousand unassigned variables and a thousand satisfied assumptions cost next to nothing", () => {
    const solver = new Solver();
    const all = Array.from({ length: 10_000 }, () => positive(solver.newVariable()));
    for (let i = 0; i + 1 < 1000; i++) solver.addClause([negate(i * 2), (i + 1) * 2]);
    const assumptions = all.slice(0, 1000);
    for (let i = 0; i < 100; i++) {
      const question = { assumptions: [...assumptions, all[1000 + i] as Literal], preference: () => -1 };
      expect(solver.solve({ ...question, budget: ample() })).toEqual({ kind: "satisfiable", preferred: true });
    }
    expect(solver.statistics.propagations).toBeLessThan(2000);
  });
});

describe("odd input", () => {
  const a = positive(0);
  const b = positive(1);
  const c = positive(2);

  function three(): Solver {
    return solverFor({ variables: 3, clauses: [], groups: [] });
  }

  test("the empty clause: nothing can ever hold", () => {
    const solver = three();
    solver.addClause([]);
    expect(solver.solve({ assumptions: [a], budget: ample() })).toEqual({ kind: "unsatisfiable", core: [] });
    expect(solver.implied([], [a])).toBe("conflict");
  });

  test("duplicate literals and tautologies", () => {
    const solver = three();
    solver.addClause([a, a]);
    solver.addClause([b, negate(b)]);
    solver.addClause([c, negate(a), c, negate(a)]);
    expect(solver.solve({ assumptions: [], budget: ample() }).kind).toBe("satisfiable");
    expect([a, b, c].map((literal) => solver.inModel(literal))).toEqual([true, false, true]);
  });

  test("assumptions that contradict each other or a fact", () => {
    const solver = three();
    solver.addClause([negate(c)]);
    expect(solver.solve({ assumptions: [a, b, negate(a)], budget: ample() })).toEqual({
      kind: "unsatisfiable",
      core: [a, negate(a)],
    });
    expect(solver.solve({ assumptions: [a, c], budget: ample() })).toEqual({ kind: "unsatisfiable", core: [c] });
    expect(solver.implied([a, c], [])).toBe("conflict");
    expect(solver.solve({ assumptions: [a, a], budget: ample() }).kind).toBe("satisfiable");
  });

  test("a group with a literal twice, and one with a literal and its negation", () => {
    const solver = three();
    addGroup(solver, [a, a, b]);
    expect(solver.solve({ assumptions: [a], budget: ample() }).kind).toBe("satisfiable");
    addGroup(solver, [a, negate(a), c]);
    expect(solver.solve({ assumptions: [c], budget: ample() })).toEqual({ kind: "unsatisfiable", core: [c] });
  });

  test("a model is kept until the next one", () => {
    const solver = three();
    solver.addClause([a, b]);
    expect(solver.solve({ assumptions: [a, negate(b)], budget: ample() }).kind).toBe("satisfiable");
    expect(solver.solve({ assumptions: [negate(a), negate(b)], budget: ample() }).kind).toBe("unsatisfiable");
    expect([a, b, c].map((literal) => solver.inModel(literal))).toEqual([true, false, false]);
    expect(solver.inModel(positive(solver.newVariable()))).toBe(false);
  });

  test("a preference for what is assigned already is a mistake of the caller", () => {
    const solver = three();
    solver.addClause([a]);
    expect(() => solver.solve({ assumptions: [], preference: () => a, budget: ample() })).toThrow(/assigned/);
  });

  test("when the rest makes something true, the preference is queried again", () => {
    const solver = three();
    const d = positive(solver.newVariable());
    solver.addClause([a, b]);
    solver.addClause([negate(b), c, d]);
    const preference = (): Literal => (solver.value(b) === 1 && solver.value(c) === 0 ? c : -1);
    expect(solver.solve({ assumptions: [], preference, budget: ample() }).kind).toBe("satisfiable");
    expect([a, b, c, d].map((literal) => solver.inModel(literal))).toEqual([false, true, true, false]);
  });

  test("a literal that is true before it is watched is loaded as well", () => {
    const solver = three();
    const loaded: number[] = [];
    solver.onTrue = (variable) => loaded.push(variable);
    solver.addClause([a]);
    expect(solver.solve({ assumptions: [b], budget: ample() }).kind).toBe("satisfiable");
    solver.watchTrue(0);
    solver.watchTrue(1);
    expect(solver.implied([], [a, b])).toEqual(Int8Array.of(1, 0));
    expect(loaded).toEqual([0]);
    expect(solver.solve({ assumptions: [b], budget: ample() }).kind).toBe("satisfiable");
    expect(loaded).toEqual([0, 1]);
  });
});

test("the lengths of tries", () => {
  expect(Array.from({ length: 15 }, (_, i) => luby(i + 1))).toEqual([1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
});
