import fc from "fast-check";
import { expect, test } from "vitest";
import { RankQueue } from "./rank-queue.ts";

test("the smallest rank is first, after any insertions and removals", () => {
  const step = fc.oneof(fc.nat(20), fc.constant("pop" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new RankQueue();
      let model: number[] = [];
      for (const it of steps) {
        if (it === "pop") {
          queue.pop();
          model.shift();
        } else {
          queue.push(it);
          model = [...model, it].sort((a, b) => a - b);
        }
        expect(queue.first).toBe(model[0]);
      }
    }),
  );
});
