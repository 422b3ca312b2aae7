// Is a cluster of thousands of namespaces answered as if every operator in it were looked at?

import { describe, expect, test } from "vitest";
import { generateWorld } from "../../test/worlds/generate.ts";
import { needs, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { ClusterState } from "./cluster-state.ts";
import { resolve } from "./resolve.ts";

function lamp(namespace: string, version = "1.0.0"): Installed {
  return running(`lamp.v${version}`, [provides("Light")], { namespace, package: "lamp" });
}

function namespacesOf(operators: readonly Installed[]): readonly string[] {
  return operators.map(({ namespace, name }) => `${namespace}/${name}`);
}

describe("operators of other namespaces", () => {
  const problems = ["a", "b", "c", "d"].map((namespace) => scene({ namespace, installed: [lamp(namespace)] }));

  test("two equal operators represent all", () => {
    const cluster = new ClusterState(problems);
    expect(namespacesOf(cluster.elsewhere("d"))).toEqual(["a/lamp.v1.0.0", "b/lamp.v1.0.0"]);
    expect(namespacesOf(cluster.elsewhere("a"))).toEqual(["b/lamp.v1.0.0", "c/lamp.v1.0.0"]);
  });

  test("a namespace that changes makes room for the next", () => {
    const cluster = new ClusterState(problems);
    cluster.become({ ...(problems[0] as Problem), installed: [lamp("a", "2.0.0")] });
    expect(namespacesOf(cluster.beside(problems[3] as Problem).elsewhere)).toEqual([
      "a/lamp.v2.0.0",
      "b/lamp.v1.0.0",
      "c/lamp.v1.0.0",
    ]);
    expect(cluster.changes).toBe(1);
  });

  test("namespaces that are not resolved have two of their own", () => {
    const elsewhere = ["x", "y", "z"].map((namespace) => lamp(namespace));
    const cluster = new ClusterState(problems.map((problem) => ({ ...problem, elsewhere })));
    expect(namespacesOf(cluster.elsewhere("a"))).toEqual([
      "b/lamp.v1.0.0",
      "c/lamp.v1.0.0",
      "x/lamp.v1.0.0",
      "y/lamp.v1.0.0",
    ]);
  });

  test("while nothing changes, the problem stays the very same", () => {
    const cluster = new ClusterState(problems);
    expect(cluster.beside(problems[0] as Problem)).toBe(problems[0]);
  });
});

test("the work for a namespace does not grow with a thousand namespaces", () => {
  const catalogs = [stocked({ lamp: { "1.0.0": [provides("Light")], "2.0.0": [provides("Light")] } })];
  const update = { ...request("lamp"), installed: "lamp.v1.0.0" };
  const problems = Array.from({ length: 1000 }, (_, number) => {
    const namespace = `ns${number}`;
    const reader = running("reader.v1.0.0", [needs("Light")], { namespace, package: "reader" });
    return scene({ namespace, catalogs, requests: [update], installed: [lamp(namespace), reader] });
  });
  const cluster = new ClusterState(problems);
  let most = 0;
  for (const given of problems) {
    const problem = { ...given, elsewhere: cluster.elsewhere(given.namespace) };
    most = Math.max(most, problem.elsewhere.length);
    const resolution = resolve(problem);
    expect(resolution.operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0", "reader.v1.0.0"]);
    cluster.carryOut(problem, resolution);
  }
  // Two old lamps, two new ones, two readers.
  expect(most).toBe(6);
});

test("the answer is the same with all equal operators of other namespaces, or with two of them", () => {
  let compared = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const world = generateWorld(seed);
    if (world.elsewhere.length === 0 || world.options.compat) continue;
    const elsewhere = ["t1", "t2", "t3", "t4", "t5"].flatMap((namespace) =>
      world.elsewhere.map((one) => ({ ...one, namespace })),
    );
    const problem = { ...world, elsewhere };
    const few = { ...world, elsewhere: new ClusterState([problem]).elsewhere(world.namespace) };
    expect(few.elsewhere.length).toBeLessThan(elsewhere.length);
    const [a, b] = [resolve(problem), resolve(few)];
    expect([
      seed,
      b.operators.map(({ name }) => name),
      b.heldBack.map((one) => one.package),
      b.unsatisfied.length,
    ]).toEqual([seed, a.operators.map(({ name }) => name), a.heldBack.map((one) => one.package), a.unsatisfied.length]);
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
});
