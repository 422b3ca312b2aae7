import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { type AskRadius, BlastRadius } from "./blast-radius.ts";

const UNKNOWN = "it is not known yet what this changes for the operators of the cluster";
const LIMIT = 2000;

function bed(ask: AskRadius) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  return { clock, errors, radius: new BlastRadius(ask, clock, (error) => errors.push(error)) };
}

describe("the blast radius is a warning", () => {
  test("of one or several lines", async () => {
    const asked: unknown[] = [];
    const { radius, clock } = bed(async (proposed) => {
      asked.push(proposed);
      return proposed === undefined ? "" : "hides 412 bundles\n\nholds back 3 operators\n";
    });
    expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual(["hides 412 bundles", "holds back 3 operators"]);
    expect(await radius.warnings({}, LIMIT)).toEqual([]);
    expect(asked).toEqual([{ text: "[]" }, undefined]);
    expect(clock.waiting).toBe(0);
  });

  test("or none", async () => {
    const { radius } = bed(async () => "");
    expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual([]);
  });

  test("that says so if it is not known", async () => {
    const { radius, errors } = bed(async () => undefined);
    expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual([UNKNOWN]);
    expect(errors).toEqual([]);
  });

  test("that says so if it takes too long", async () => {
    const { radius, clock } = bed(() => new Promise(() => undefined));
    const warnings = radius.warnings({ text: "[]" }, LIMIT);
    let isThere = false;
    void warnings.then(() => {
      isThere = true;
    });
    await clock.pass(LIMIT - 1);
    expect(isThere).toBe(false);
    await clock.pass(1);
    expect(await warnings).toEqual([UNKNOWN]);
  });

  test("that says so if there is no time left, or it fails", async () => {
    const { radius, errors } = bed(async () => {
      throw new Error("a bug");
    });
    expect(await radius.warnings({ text: "[]" }, 0)).toEqual([UNKNOWN]);
    expect(errors).toEqual([]);
    expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual([UNKNOWN]);
    expect(errors).toEqual([new Error("a bug")]);
  });
});

test("not more than four are computed at the same time", async () => {
  const open: ((said: string) => void)[] = [];
  const { radius, clock } = bed(() => new Promise((done) => open.push(done)));
  const first = [1, 2, 3, 4].map(() => radius.warnings({ text: "[]" }, LIMIT));
  expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual([UNKNOWN]);
  // That nothing waits for them any more does not end them.
  await clock.pass(LIMIT);
  expect(await Promise.all(first)).toEqual(first.map(() => [UNKNOWN]));
  expect(await radius.warnings({ text: "[]" }, LIMIT)).toEqual([UNKNOWN]);
  expect(open).toHaveLength(4);
  open[0]?.("late");
  await clock.pass(0);
  const last = radius.warnings({ text: "[]" }, LIMIT);
  open[4]?.("in time");
  expect(await last).toEqual(["in time"]);
});
