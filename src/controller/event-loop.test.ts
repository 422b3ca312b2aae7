import { expect, test } from "vitest";
import { Longest, RecentWindow } from "./event-loop.ts";

test("a window has the last one to two periods", () => {
  const window = new RecentWindow(() => new Longest());
  const seen: number[] = [];
  for (const seconds of [3, 1, 2, 0, 0, 0]) {
    for (const one of window.both) one.record(seconds);
    seen.push(window.recent.seconds);
    window.turn();
    seen.push(window.recent.seconds);
  }
  expect(seen).toEqual([3, 3, 3, 1, 2, 2, 2, 0, 0, 0, 0, 0]);
});
