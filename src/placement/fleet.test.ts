import { describe, expect, test } from "vitest";
import { cluster, hub, NOW, placement } from "../../test/placement/sample-fleet.ts";
import { PlacementEngine } from "./engine.ts";
import { Fleet } from "./fleet.ts";

const names = (fleet: Fleet): string[] => Array.from(fleet.clusters(), (entry) => entry.cluster.name);

describe("a fleet", () => {
  test("is in the order of names, bytewise, and of two with one name the later counts", () => {
    const later = { ...cluster("b"), labels: { later: "yes" } };
    const fleet = new Fleet([cluster("b"), cluster("a10"), cluster("a2"), later, cluster("B")]);
    expect(names(fleet)).toEqual(["B", "a10", "a2", "b"]);
    expect(fleet.get("b")?.cluster).toBe(later);
  });

  test("keeps ranks right while clusters come and go, and slots for those that come back", () => {
    const fleet = new Fleet([cluster("a"), cluster("c")]);
    expect(fleet.put(cluster("b"))).toBeUndefined();
    const slot = fleet.slotOf("a");
    expect(fleet.remove("a")?.cluster.name).toBe("a");
    expect(fleet.remove("a")).toBeUndefined();
    expect(names(fleet)).toEqual(["b", "c"]);
    expect(fleet.order.map((at) => fleet.rank[at])).toEqual([0, 1]);
    fleet.put(cluster("a"));
    expect(fleet.slotOf("a")).toBe(slot);
    expect(names(fleet)).toEqual(["a", "b", "c"]);
  });
});

test("a fleet of clusters that come and go for ever does not grow for ever", () => {
  const engine = new PlacementEngine(hub({ managedClusters: [cluster("stays")], placements: [placement("p")] }), {
    now: NOW,
  });
  engine.result("ns/p");
  let named = 0;
  for (let index = 0; index < 1_010; index++) {
    const name = `c${index}`;
    named += engine.apply([{ kind: "ManagedCluster", name, object: cluster(name) }]).length;
    expect(engine.decisions("ns/p")?.selected).toEqual([name, "stays"]);
    named += engine.apply([{ kind: "ManagedCluster", name, object: undefined }]).length;
    expect(engine.decisions("ns/p")?.selected).toEqual(["stays"]);
  }
  expect(named).toBe(2 * 1_010);
  expect(engine.evaluations).toBeLessThan(1_100);
});
