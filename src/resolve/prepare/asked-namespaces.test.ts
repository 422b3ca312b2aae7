import { expect, test } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import { type Asking, chooseNamespaces } from "./asked-namespaces.ts";

function chosen(asking: Partial<Asking>, namespaces: readonly string[], hasExtensions = false): unknown {
  const objects = {
    subscriptions: namespaces.map((namespace) => ({ namespace })),
    clusterExtensions: hasExtensions ? [{}] : [],
  } as unknown as ClusterObjects;
  const choice = chooseNamespaces({ isAll: false, ...asking }, objects);
  return choice.kind === "chosen" ? choice.namespaces : choice.kind;
}

test("the namespace of the context is taken if it has Subscriptions", () => {
  expect(chosen({ preferred: "b" }, ["a", "b"])).toEqual(["b"]);
  expect(chosen({ preferred: "b" }, ["a", "b"], true)).toEqual(["b"]);
});

test("otherwise the only one that has some, or the ClusterExtensions, or it is a question", () => {
  expect(chosen({ preferred: "c" }, ["a"])).toEqual(["a"]);
  expect(chosen({ preferred: "c" }, [], true)).toEqual([CLUSTER_SCOPE]);
  expect(chosen({ preferred: "c" }, ["a", "b"])).toBe("several");
  expect(chosen({ preferred: "c" }, ["a"], true)).toBe("several");
  expect(chosen({ preferred: "c" }, [])).toEqual(["default"]);
});

test("flags count before the context", () => {
  expect(chosen({ preferred: "b", namespace: "c" }, ["a", "b"])).toEqual(["c"]);
  expect(chosen({ preferred: "b", scope: "cluster" }, ["a", "b"])).toEqual([CLUSTER_SCOPE]);
  expect(chosen({ preferred: "b", isAll: true }, ["b", "a"], true)).toEqual(["a", "b", CLUSTER_SCOPE]);
});
