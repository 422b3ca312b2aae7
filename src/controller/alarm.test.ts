import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { Alarm } from "./alarm.ts";

const DAY = 24 * 3600 * 1000;

function started(): { readonly clock: ManualClock; readonly alarm: Alarm; readonly rung: string[] } {
  const clock = new ManualClock();
  const rung: string[] = [];
  return { clock, rung, alarm: new Alarm(clock, (keys) => rung.push(...keys)) };
}

test("an alarm rings once, when its time has come", async () => {
  const { clock, alarm, rung } = started();
  alarm.set("a", clock.now() + 5000);
  await clock.pass(4999);
  expect(rung).toEqual([]);
  await clock.pass(1);
  expect(rung).toEqual(["a"]);
  await clock.pass(DAY);
  expect(rung).toEqual(["a"]);
  expect(clock.waiting).toBe(0);
});

test("a time in the past rings at once, an earlier time replaces a later one, and none cancels it", async () => {
  const { clock, alarm, rung } = started();
  alarm.set("past", clock.now() - 1);
  alarm.set("b", clock.now() + 9000);
  alarm.set("c", clock.now() + 9000);
  alarm.set("b", clock.now() + 100);
  alarm.set("c", undefined);
  await clock.pass(100);
  expect(rung).toEqual(["past", "b"]);
  await clock.pass(DAY);
  expect(rung).toEqual(["past", "b"]);
});

test("further ahead than a timer of Node can hold, 24.8 days", async () => {
  const { clock, alarm, rung } = started();
  alarm.set("far", clock.now() + 30 * DAY);
  await clock.pass(30 * DAY - 1);
  expect(rung).toEqual([]);
  await clock.pass(1);
  expect(rung).toEqual(["far"]);
});

test("the wall clock is set forwards: it rings within half a minute; backwards: it waits", async () => {
  const { clock, alarm, rung } = started();
  alarm.set("a", clock.now() + 3600_000);
  await clock.pass(1000);
  clock.set(clock.now() + 3600_000);
  await clock.pass(30_000);
  expect(rung).toEqual(["a"]);
  alarm.set("b", clock.now() + 60_000);
  await clock.pass(1000);
  clock.set(clock.now() - 3600_000);
  await clock.pass(3600_000);
  expect(rung).toEqual(["a"]);
  await clock.pass(60_000);
  expect(rung).toEqual(["a", "b"]);
});
