import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, World } from "../../test/controller/candidates.ts";
import type { Fate } from "../../test/controller/lease-server.ts";
import "../../test/property-seed.ts";

describe("two candidates, whatever happens", () => {
  const milliseconds = (max: number) => fc.integer({ min: 0, max });
  const fate: fc.Arbitrary<Fate> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ there: milliseconds(300), back: milliseconds(300) }) },
    { weight: 1, arbitrary: fc.record({ there: milliseconds(20_000), back: milliseconds(20_000) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        there: milliseconds(6000),
        back: milliseconds(6000),
        fails: fc.constantFrom("request lost" as const, "answer lost" as const, "refused" as const),
      }),
    },
  );
  const event = fc.record({
    after: milliseconds(9000),
    who: fc.constantFrom(0, 1),
    what: fc.oneof(
      fc.constantFrom(
        "freeze" as const,
        "thaw" as const,
        "thaw reversed" as const,
        "cut off" as const,
        "heal" as const,
      ),
      fc.constantFrom(-3_600_000, -2000, 2000, 15_000, 3_600_000),
    ),
  });
  const schedule = fc.record({
    events: fc.array(event, { minLength: 5, maxLength: 25 }),
    fates: fc.array(fate, { minLength: 1, maxLength: 40 }),
    jitter: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 7 }),
  });

  test("never may both write, nor one before the last request of the other has ended; in the end one leads", async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ events, fates, jitter }) => {
        const world = new World();
        const next = <Item>(items: readonly Item[]): (() => Item) => {
          let count = 0;
          return () => items[count++ % items.length] as Item;
        };
        const [nextFate, random] = [next(fates), next(jitter)];
        const candidates = [world.candidate("a", { random }), world.candidate("b", { random })] as const;
        const lastWrite = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
        const pass = async (time: number): Promise<void> => {
          for (let left = time; left > 0; left -= 200) {
            await world.time.pass(Math.min(left, 200));
            const now = world.time.monotonic();
            for (const [index, { elector }] of candidates.entries()) {
              if (!elector.mayWrite()) continue;
              lastWrite[index] = now;
              const other = lastWrite[1 - index] as number;
              if (now - other < elector.writeTimeout) throw new Error(`both may write after ${now} ms`);
            }
          }
        };
        const act = ({ process }: Candidate, what: (typeof events)[number]["what"]): void => {
          if (typeof what === "number") process.stepWall(what);
          else if (what === "freeze") process.freeze();
          else if (what === "cut off") process.fate = () => ({ there: 0, back: 0, fails: "request lost" });
          else if (what === "heal") process.fate = nextFate;
          else process.thaw(what === "thaw reversed");
        };
        for (const { process } of candidates) process.fate = nextFate;
        for (const { after, who, what } of events) {
          await pass(after);
          act(candidates[who] as Candidate, what);
        }
        for (const { process } of candidates) {
          process.thaw();
          process.fate = () => ({ there: 10, back: 10 });
        }
        await pass(60_000);
        expect(candidates.filter(({ elector }) => elector.mayWrite())).toHaveLength(1);
        for (const candidate of candidates) candidate.stop();
        await world.time.pass(10_000);
        await Promise.all(candidates.map(({ ended }) => ended));
      }),
      { numRuns: 100 },
    );
  });
});
