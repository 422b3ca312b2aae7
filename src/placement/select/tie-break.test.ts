import { describe, expect, test } from "vitest";
import { cluster } from "../../../test/placement/sample-fleet.ts";
import { Fleet } from "../fleet.ts";
import { type TieBreak, tiesOf } from "./tie-break.ts";

const NAMES = Array.from({ length: 40 }, (_, index) => `cluster-${index}`);

function orderOf(tieBreak: TieBreak, placement: string, fleet: Fleet): string[] {
  const ties = tiesOf(tieBreak, fleet, placement);
  const order = fleet.order.map((_, tie) => ties.slot(tie));
  expect(order.map((slot) => ties.of(slot))).toEqual(order.map((_, tie) => tie));
  return order.map((slot) => fleet.nameOf(slot));
}

describe("ties", () => {
  const fleet = new Fleet(NAMES.map((name) => cluster(name)));

  test("by name are bytewise, for every Placement the same", () => {
    expect(orderOf("name", "ns/p", fleet)).toEqual([...NAMES].sort());
    expect(orderOf("name", "ns/q", fleet)).toEqual([...NAMES].sort());
  });

  test("by hash are others for every Placement, and the same every time", () => {
    const [p, q] = [orderOf("hash", "ns/p", fleet), orderOf("hash", "ns/q", fleet)];
    expect([...p].sort()).toEqual([...NAMES].sort());
    expect(p).not.toEqual([...NAMES].sort());
    expect(p.slice(0, 5)).not.toEqual(q.slice(0, 5));
    expect(orderOf("hash", "ns/p", new Fleet(NAMES.toReversed().map((name) => cluster(name))))).toEqual(p);
  });

  test("by hash stay what they are when other clusters come and go", () => {
    const changing = new Fleet(NAMES.map((name) => cluster(name)));
    const before = orderOf("hash", "ns/p", changing);
    changing.put(cluster("another"));
    changing.remove("cluster-7");
    const after = orderOf("hash", "ns/p", changing);
    expect(after.filter((name) => name !== "another")).toEqual(before.filter((name) => name !== "cluster-7"));
  });
});
