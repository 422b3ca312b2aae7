import { expect, test } from "vitest";
import { cluster, decision, hub, NOW, placement } from "../../test/placement/sample-fleet.ts";
import { DecidedSlices } from "./decide/decided-slices.ts";
import { PlacementEngine } from "./engine.ts";
import { SchedulingOrder } from "./scheduling-order.ts";

test("own decisions do not count, as often as they name a cluster", () => {
  const order = new SchedulingOrder(() => []);
  const own = [decision("p-decision-1", "p", "c1", "c2", "c1"), decision("p-decision-2", "p", "c1")];
  for (const { clusterName } of own.flatMap(({ decisions }) => decisions)) order.count(clusterName, 1);
  order.count("c1", 1);
  order.count("c3", 2);
  const { most, of } = order.others("ns/p", new DecidedSlices("p", own));
  expect([most, of("c1"), of("c2"), of("c3"), of("c4")]).toEqual([2, 1, 0, 2, 0]);
});

test("clusters that no Placement names any more are forgotten, and those that remain are counted as before", () => {
  const order = new SchedulingOrder(() => []);
  const own = new DecidedSlices("p", [decision("p-decision-1", "p", "own")]);
  const found = () => {
    const { most, of } = order.others("ns/p", own);
    return [most, of("own"), of("other")];
  };
  order.count("own", 3);
  order.count("other", 1);
  for (let number = 0; number < 5000; number++) {
    order.count(`c${number}`, 4);
    if (number % 1000 === 0) expect(found()).toEqual([4, 2, 1]);
    order.count(`c${number}`, -4);
    if (number % 1000 === 999) expect(found()).toEqual([2, 2, 1]);
  }
});

test("a Placement that is changed and deleted at once does not count any more for those after it", () => {
  const first = placement("a", { numberOfClusters: 1 });
  const placements = [first, placement("b", { numberOfClusters: 1 })];
  const objects = hub({ managedClusters: [cluster("c1"), cluster("c2")], placements });
  const engine = new PlacementEngine(objects, { now: NOW });
  const selected = (key: string) => engine.result(key) && engine.decisions(key)?.selected;
  expect([selected("ns/a"), selected("ns/b")]).toEqual([["c1"], ["c2"]]);
  const change = { kind: "Placement", namespace: "ns", name: "a" } as const;
  const changed = { ...first, numberOfClusters: 2 };
  const affected = engine.apply([
    { ...change, object: changed },
    { ...change, object: undefined },
  ]);
  expect([affected, selected("ns/b")]).toEqual([["ns/b"], ["c1"]]);
});
