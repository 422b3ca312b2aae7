import fc from "fast-check";
import { expect, test } from "vitest";
import { Queue } from "./queue.ts";

test("items are taken in the order of costs, and of insertion for equal ones", () => {
  const costs = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 })), { maxLength: 60 });
  fc.assert(
    fc.property(costs, (all) => {
      const queue = new Queue<number>();
      for (const [index, cost] of all.entries()) queue.add(index, cost);
      const order = [...all.keys()].sort((a, b) => {
        const [[one, more], [other, less]] = [all[a] ?? [0, 0], all[b] ?? [0, 0]];
        return one - other || more - less || a - b;
      });
      expect(order.map(() => queue.take())).toEqual(order);
      expect(queue.take()).toBeUndefined();
    }),
  );
});
