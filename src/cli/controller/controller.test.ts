import { expect, test } from "vitest";
import { leaseHolder } from "./controller.ts";

test("replicas that are given the same identity hold the Lease under different names", () => {
  const [one, other] = [leaseHolder({ identity: "plimsoll" }), leaseHolder({ identity: "plimsoll" })];
  expect(one).toMatch(/^plimsoll_[0-9a-f-]{36}$/);
  expect(other).not.toBe(one);
});
