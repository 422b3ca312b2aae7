import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

test("results are in the order of the items, and no more than some are under way", async () => {
  let underWay = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0, 5], 2, async (turns) => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    underWay--;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0, 50]);
  expect(most).toBe(2);
});

test("the first failure ends all: no other item is begun", async () => {
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await nextTurn();
    if (item === 1) throw new Error("no");
  };
  await expect(inParallel([1, 2, 3, 4, 5], 2, work)).rejects.toThrow("no");
  await nextTurn();
  expect(begun).toEqual([1, 2]);
});
