import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SpreadConstraint } from "../../model/placement.ts";
import { pickSpread, type SpreadPick, type SpreadQuestion } from "./spread.ts";

interface Candidate {
  readonly name: string;
  readonly values: readonly (string | undefined)[];
  readonly total: number;
  readonly lastResort?: boolean;
}

const HARD = "DoNotSchedule";
const SOFT = "ScheduleAnyway";

function term(whenUnsatisfiable: string, maxSkew = 1): SpreadConstraint {
  const place = { source: "test", line: 1, column: 1 };
  return { place, topologyKey: "zone", topologyKeyType: "Label", maxSkew, whenUnsatisfiable };
}

/** In the order of rank: last resorts behind, then by total, then by name. */
function ranked(candidates: readonly Candidate[]): readonly Candidate[] {
  const byRank = (a: Candidate, b: Candidate) =>
    Number(a.lastResort ?? false) - Number(b.lastResort ?? false) || b.total - a.total || (a.name < b.name ? -1 : 1);
  return [...candidates].sort(byRank);
}

function asked(
  constraints: readonly SpreadConstraint[],
  candidates: readonly Candidate[],
  options: { count?: number | undefined; weight?: number } = {},
): SpreadQuestion {
  return {
    constraints,
    count: options.count,
    weight: options.weight ?? 2,
    size: candidates.length,
    total: (candidate) => (candidates[candidate] as Candidate).total,
    isSoftTainted: (candidate) => (candidates[candidate] as Candidate).lastResort ?? false,
    value: (constraint, candidate) => (candidates[candidate] as Candidate).values[constraint],
  };
}

/** Clusters `zone-number` in those zones, all with the same total. */
function zones(sizes: Readonly<Record<string, number>>): readonly Candidate[] {
  return ranked(
    Object.entries(sizes).flatMap(([zone, size]) =>
      Array.from({ length: size }, (_, index) => ({ name: `${zone}-${index}`, values: zone.split("/"), total: 0 })),
    ),
  );
}

function namesOf(candidates: readonly Candidate[], picks: readonly SpreadPick[]): readonly string[] {
  return picks.map(({ candidate }) => (candidates[candidate] as Candidate).name);
}

describe("the cases of OCM's proposal", () => {
  test("M1: an even spread", () => {
    const clusters = zones({ "1a": 3, "1b": 3 });
    const { picks } = pickSpread(asked([term(SOFT)], clusters, { count: 4 }));
    expect(namesOf(clusters, picks)).toEqual(["1a-0", "1b-0", "1a-1", "1b-1"]);
  });

  test("M2: a hard maxSkew leaves places empty", () => {
    const clusters = zones({ "1a": 3, "1b": 1 });
    const { picks, block } = pickSpread(asked([term(HARD)], clusters, { count: 4 }));
    expect(namesOf(clusters, picks)).toEqual(["1a-0", "1b-0", "1a-1"]);
    const last = clusters.findIndex(({ name }) => name === "1a-2");
    expect(block(last)).toEqual({
      constraint: 0,
      value: "1a",
      count: 2,
      leastValue: "1b",
      leastCount: 1,
    });
    expect(picks.map(({ candidate }) => block(candidate))).toEqual([undefined, undefined, undefined]);
  });

  test("M4: zones within regions", () => {
    const clusters = zones({ "east/1a": 3, "east/1b": 3, "west/1a": 3 });
    const { picks } = pickSpread(asked([term(SOFT), term(SOFT)], clusters, { count: 4 }));
    expect([...namesOf(clusters, picks)].sort()).toEqual(["east/1a-0", "east/1b-0", "west/1a-0", "west/1a-1"]);
  });

  const FIVE: readonly Candidate[] = ranked([
    { name: "c1", values: ["us-east", "1a"], total: 50 },
    { name: "c2", values: ["us-east", "1a"], total: 50 },
    { name: "c3", values: ["us-east", "1b"], total: 0 },
    { name: "c4", values: ["us-west", "1a"], total: 0 },
    { name: "c5", values: ["us-west", "1a"], total: 50 },
  ]);

  test("M5: the worked example: c1, then c5 with 250", () => {
    const { picks, block } = pickSpread(asked([term(SOFT), term(HARD)], FIVE, { count: 2 }));
    expect(namesOf(FIVE, picks)).toEqual(["c1", "c5"]);
    expect(picks.map(({ spread, total }) => [spread, total])).toEqual([
      [100, 250],
      [100, 250],
    ]);
    expect(block(FIVE.findIndex(({ name }) => name === "c2"))).toMatchObject({ constraint: 1, value: "1a", count: 1 });
  });

  test.each([
    // Without c5, and without c4 and c5: the other numbers of the worked example.
    { names: ["c1", "c2", "c3", "c4"], second: "c4", spread: 100, total: 200 },
    { names: ["c1", "c2", "c3"], second: "c3", spread: 100, total: 200 },
  ])("M5 with $names", ({ names, second, spread, total }) => {
    const clusters = FIVE.filter(({ name }) => names.includes(name));
    const { picks } = pickSpread(asked([term(SOFT), term(HARD)], clusters, { count: 2 }));
    expect(namesOf(clusters, picks)[1]).toBe(second);
    expect(picks[1]).toMatchObject({ spread, total });
  });

  test("M5: c3 has -200, so that it is chosen only with 450 more", () => {
    for (const [total, second] of [
      [449, "c5"],
      [450, "c5"],
      [451, "c3"],
    ] as const) {
      const clusters = FIVE.map((one) => (one.name === "c3" ? { ...one, total } : one));
      const fixed = [...clusters.filter(({ name }) => name === "c1"), ...clusters.filter(({ name }) => name !== "c1")];
      const first = fixed.map((one) => (one.name === "c1" ? { ...one, total: 1000 } : one));
      const { picks } = pickSpread(asked([term(SOFT), term(HARD)], ranked(first), { count: 2 }));
      expect(namesOf(ranked(first), picks)).toEqual(["c1", second]);
    }
  });
});

describe("details", () => {
  test("there is nothing to decide if all are chosen", () => {
    const clusters = zones({ "1a": 2, "1b": 1 });
    for (const count of [undefined, 3, 9]) {
      const answer = pickSpread(asked([term(SOFT)], clusters, { count }));
      expect(answer).toMatchObject({ undecisive: true, isCutOff: false });
      expect(answer.picks).toEqual([0, 1, 2].map((candidate) => ({ candidate, spread: undefined, total: 0 })));
    }
    expect(pickSpread(asked([], clusters, { count: 2 }))).toMatchObject({ undecisive: true, picks: [{}, {}] });
    expect(pickSpread(asked([term(SOFT)], clusters, { count: 2 })).undecisive).toBe(false);
    expect(pickSpread(asked([term(HARD)], clusters)).undecisive).toBe(false);
  });

  test("a cluster without the key is out for DoNotSchedule, and does not hold the others back", () => {
    const clusters = [...zones({ "1a": 2 }), { name: "none", values: [undefined], total: 0 }];
    const answer = pickSpread(asked([term(HARD)], clusters));
    expect(namesOf(clusters, answer.picks)).toEqual(["1a-0", "1a-1"]);
    expect(answer.block(2)).toMatchObject({ constraint: 0, value: undefined });
  });

  test("all clusters without the key are one value for ScheduleAnyway", () => {
    const keyless = [0, 1, 2].map((index) => ({ name: `none-${index}`, values: [undefined], total: 0 }));
    const clusters = [...zones({ "1a": 3 }), ...keyless];
    const { picks } = pickSpread(asked([term(SOFT)], clusters, { count: 4 }));
    expect(namesOf(clusters, picks)).toEqual(["1a-0", "none-0", "1a-1", "none-1"]);
  });

  test("a last resort comes behind all others, but not before what DoNotSchedule forbids", () => {
    const last = { name: "last", values: ["1b"], total: 1000, lastResort: true };
    const clusters = ranked([...zones({ "1a": 3 }), last]);
    expect(namesOf(clusters, pickSpread(asked([term(SOFT)], clusters, { count: 3 })).picks)).not.toContain("last");
    expect(namesOf(clusters, pickSpread(asked([term(HARD)], clusters, { count: 2 })).picks)).toContain("last");
  });

  test("if several values have the fewest, a block names the first", () => {
    const clusters = zones({ c: 1, b: 1, a: 9 });
    const { block } = pickSpread(asked([term(HARD)], clusters, { count: 1 }));
    expect(block(1)).toMatchObject({ value: "a", count: 1, leastValue: "b", leastCount: 0 });
  });

  test("a value is at most 63 steps behind", () => {
    const one = (zone: string, total: number, index = 0) => ({ name: `${zone}${index}`, values: [zone], total });
    const full = Array.from({ length: 65 }, (_, index) => one("full", 1e6, index));
    const half = Array.from({ length: 32 }, (_, index) => one("half", 5e5, index));
    const clusters = ranked([...full, one("full", -1e6, 99), ...half, one("none", 0)]);
    const { picks } = pickSpread(asked([term(SOFT)], clusters, { count: 97 }));
    // Among 0, 63 - 31 and 63: (2 · 32 - 63) / 63 of 100.
    expect(picks[96]).toMatchObject({ candidate: 96, spread: 1 });
  });

  test("the work is bounded, which is reported", () => {
    const clusters = zones({ "1a": 9, "1b": 9 });
    const answer = pickSpread(asked([term(HARD)], clusters), 7);
    expect(answer).toMatchObject({ isCutOff: true, undecisive: false });
    expect(answer.picks).toHaveLength(3);
    expect(pickSpread(asked([term(HARD)], clusters, { count: 3 }), 7).isCutOff).toBe(false);
  });

  test("with weight 0, ScheduleAnyway does not count and DoNotSchedule holds", () => {
    const clusters = zones({ "1a/x": 3, "1b/x": 2, "1b/y": 1 });
    const soft = pickSpread(asked([term(SOFT), term(SOFT)], clusters, { count: 3, weight: 0 }));
    expect(soft).toMatchObject({ undecisive: true, isCutOff: false });
    expect(namesOf(clusters, soft.picks)).toEqual(["1a/x-0", "1a/x-1", "1a/x-2"]);
    const both = pickSpread(asked([term(SOFT), term(HARD)], clusters, { count: 5, weight: 0 }));
    expect(namesOf(clusters, both.picks)).toEqual(["1a/x-0", "1a/x-1", "1a/x-2", "1b/x-0", "1b/y-0"]);
    expect(both.picks.map(({ spread, total }) => [spread, total])).toEqual(both.picks.map(() => [undefined, 0]));
  });

  test.each([
    { weight: 1, next: "m/y" },
    { weight: -1, next: "m/x" },
  ])("with weight $weight the tie of m/x and m/y goes to $next", ({ weight, next }) => {
    const some = (value: string, size: number, total: number) =>
      Array.from({ length: size }, (_, index) => ({
        name: `${value}${total}${index}`,
        values: value.split("/"),
        total,
      }));
    const before = [...some("p/x", 10, 1e6), ...some("m/x", 3, 1e6), ...some("m/y", 2, 1e6)];
    // 319 and 320 of 640: the spread of both is 0, and m/y is more even.
    const tied = ["m/x", "m/y"].map((name) => ({ name, values: name.split("/"), total: 0 }));
    const clusters = ranked([...before, ...tied, ...some("p/x", 1, -1e6), ...some("q/x", 1, -1e6)]);
    const { picks } = pickSpread(asked([term(SOFT), term(SOFT)], clusters, { count: 16, weight }));
    expect(namesOf(clusters, picks)[15]).toBe(next);
  });

  test.each([
    { size: 100_000, values: [50], terms: [HARD] },
    { size: 100_000, values: [100_000], terms: [HARD] },
    { size: 20_000, values: [20_000, 1], terms: [HARD, SOFT] },
    { size: 20_000, values: [2000, 7], terms: [SOFT, SOFT] },
    { size: 20_000, values: [30, 20, 10], terms: [SOFT, SOFT, SOFT] },
  ])("$size clusters over $values values are asked for a few times each", ({ size, values, terms }) => {
    const names = Array.from({ length: 100_000 }, (_, index) => `zone${index}`);
    let asked = 0;
    const { picks, isCutOff } = pickSpread({
      constraints: terms.map((when) => term(when)),
      count: terms.includes(HARD) ? undefined : size - 1,
      weight: 2,
      size,
      total: (candidate) => {
        asked++;
        return -(candidate >> 3);
      },
      isSoftTainted: () => false,
      value: (constraint, candidate) => {
        asked++;
        return names[(candidate * 7 + (candidate >> 4) * constraint) % (values[constraint] ?? 1)];
      },
    });
    expect([picks.length, isCutOff]).toEqual([terms.includes(HARD) ? size : size - 1, false]);
    expect(asked / size).toBeLessThan(12);
  });
});

/** The same by trying every candidate in every step, and recounting each time. */
function naivePicks(constraints: readonly SpreadConstraint[], all: readonly Candidate[], question: SpreadQuestion) {
  const lacks = (one: Candidate) =>
    constraints.some((it, k) => it.whenUnsatisfiable === HARD && one.values[k] === undefined);
  const candidates = all.filter((one) => !lacks(one));
  const picked: Candidate[] = [];
  const prefixes = new Map(
    candidates.map((one) => {
      const values = one.values.map((value) => value ?? null);
      return [one, [0, ...constraints.keys()].map((_, k) => JSON.stringify(values.slice(0, k)))];
    }),
  );
  const prefix = (one: Candidate, k: number) => prefixes.get(one)?.[k] as string;
  const result: { name: string; spread: number | undefined; total: number }[] = [];
  while (result.length < (question.count ?? all.length)) {
    const counts = new Map<string, number>();
    const least = new Map<string, number>();
    for (const k of constraints.keys()) {
      for (const one of picked) counts.set(prefix(one, k + 1), (counts.get(prefix(one, k + 1)) ?? 0) + 1);
      for (const one of candidates) {
        const count = counts.get(prefix(one, k + 1)) ?? 0;
        least.set(prefix(one, k), Math.min(count, least.get(prefix(one, k)) ?? count));
      }
    }
    const gapOf = (one: Candidate, k: number) =>
      (counts.get(prefix(one, k + 1)) ?? 0) - (least.get(prefix(one, k)) as number);
    const allowed = candidates
      .filter((one) => !picked.includes(one))
      .map((one) => ({ one, gaps: constraints.map((_, k) => gapOf(one, k)) }))
      .filter(({ gaps }) => constraints.every((it, k) => it.whenUnsatisfiable !== HARD || (gaps[k] ?? 0) < it.maxSkew))
      .map(({ one, gaps }) => ({
        one,
        even: gaps.reduce((sum, gap) => sum * 64n + BigInt(63 - Math.min(63, gap)), 0n),
      }));
    if (allowed.length === 0) break;
    const evens = allowed.map(({ even }) => even).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const [low, high] = [evens[0] as bigint, evens.at(-1) as bigint];
    const scored = allowed.map(({ one, even }) => {
      const spread = low === high ? 100 : Number((100n * (2n * (even - low) - (high - low))) / (high - low));
      return { one, even, spread, total: one.total + question.weight * spread };
    });
    scored.sort(
      (a, b) =>
        Number(a.one.lastResort ?? false) - Number(b.one.lastResort ?? false) ||
        b.total - a.total ||
        (question.weight > 0 ? Number(b.even - a.even) : 0) ||
        all.indexOf(a.one) - all.indexOf(b.one),
    );
    const { one, spread, total } = scored[0] as (typeof scored)[number];
    picked.push(one);
    result.push({ name: one.name, spread: question.weight === 0 ? undefined : spread, total });
  }
  return result;
}

test("the choice is that of a version which looks at everything in every step", () => {
  const value = fc.constantFrom("a", "b", "c", undefined);
  const candidate = fc.record({
    values: fc.array(value, { minLength: 3, maxLength: 3 }),
    total: fc.oneof(fc.constantFrom(0, 100, 9000), fc.integer({ min: -400, max: 400 })),
    lastResort: fc.nat(7).map((one) => one === 0),
  });
  const terms = fc.array(
    fc.tuple(fc.constantFrom(HARD, SOFT, SOFT), fc.integer({ min: 1, max: 3 })).map(([when, skew]) => term(when, skew)),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(
      terms,
      fc.array(candidate, { maxLength: 60, size: "max" }),
      fc.option(fc.nat(60), { nil: undefined }),
      // With a high weight, later terms matter beside the scores too.
      fc.constantFrom(-40, -10, -1, 0, 1, 2, 10, 40),
      (constraints, drafts, count, weight) => {
        const clusters = ranked(
          drafts.map((draft, index) => ({
            ...draft,
            name: `c${index}`,
            values: draft.values.slice(0, constraints.length),
          })),
        );
        const question = asked(constraints, clusters, { count, weight });
        const answer = pickSpread(question);
        if (answer.undecisive) {
          const first = clusters.slice(0, count).map(({ name }) => name);
          expect(namesOf(clusters, answer.picks)).toEqual(first);
          expect(
            naivePicks(constraints, clusters, question)
              .map(({ name }) => name)
              .sort(),
          ).toEqual([...first].sort());
          return;
        }
        const found = answer.picks.map(({ candidate: at, spread, total }) => {
          return { name: (clusters[at] as Candidate).name, spread, total };
        });
        expect(found).toEqual(naivePicks(constraints, clusters, question));
        const chosen = new Set(answer.picks.map(({ candidate: at }) => at));
        const left = clusters.map((_, at) => at).filter((at) => !chosen.has(at));
        if (count === undefined || chosen.size < Math.min(count, clusters.length)) {
          for (const at of left) expect(answer.block(at)).toBeDefined();
        }
        for (const at of chosen) expect(answer.block(at)).toBeUndefined();
      },
    ),
    { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 800 },
  );
});
