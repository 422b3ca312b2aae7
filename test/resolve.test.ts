// What does a resolver do when it is hard, when time is over, when it is asked again?

import { describe, expect, test } from "vitest";
import type { Problem, ResolveOptions } from "../src/model/problem.ts";
import { afterOthers } from "../src/resolve/after-others.ts";
import { Resolver, resolve } from "../src/resolve/resolve.ts";
import {
  constraint,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
  type Versions,
} from "./worlds/scene.ts";

/** So many pigeons, each a package, and one hole less: version j of a package takes hole j. */
function pigeons(count: number, options: Partial<ResolveOptions> = {}): Problem {
  const holes: Versions = Object.fromEntries(
    Array.from({ length: count - 1 }, (_, hole) => [`1.${hole}.0`, [provides(`Hole${hole}`)]]),
  );
  const names = Array.from({ length: count }, (_, number) => `pigeon-${number}`);
  const catalog = stocked(Object.fromEntries(names.map((name) => [name, holes])));
  return scene({ catalogs: [catalog], requests: names.map((name) => request(name)) }, options);
}

describe("what is too hard", () => {
  test("few enough pigeons are proven to have one too many", () => {
    const { outcome, operators, unsatisfied, proven } = resolve(pigeons(5));
    expect({
      outcome,
      operators: operators.length,
      undecided: unsatisfied.map((one) => one.undecided),
      proven,
    }).toEqual({
      outcome: "Partial",
      operators: 4,
      undecided: [false],
      proven: true,
    });
  });

  test.each([1, 20, 300])("twelve pigeons in eleven holes with %i conflicts: never a wrong no", (maxConflicts) => {
    const { unsatisfied, objectives } = resolve(pigeons(12, { maxConflicts }));
    expect(unsatisfied.length).toBeGreaterThan(0);
    const isProven = objectives[0]?.proven;
    expect(unsatisfied.every(({ undecided }) => undecided || isProven)).toBe(true);
  });

  test("all or nothing is undecided as long as all is not proven to be impossible", () => {
    const { unsatisfied, operators } = resolve(pigeons(12, { maxConflicts: 100, allOrNothing: true }));
    expect(operators).toEqual([]);
    expect(unsatisfied.map(({ undecided }) => undecided)).toEqual(Array.from({ length: 12 }, () => true));
  });

  test("when the time is over, what is best so far is the answer", () => {
    let asked = 0;
    const { unsatisfied, proven } = resolve(pigeons(12), () => ++asked > 3);
    expect(proven).toBe(false);
    expect(unsatisfied.some(({ undecided }) => undecided)).toBe(true);
    expect(asked).toBeLessThan(200);
  });

  test("a chain of five thousand dependencies is followed to its end", () => {
    const packages = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, number) => [
        `link-${number}`,
        { "1.0.0": number === 4_999 ? [] : [needsPackage(`link-${number + 1}`)] },
      ]),
    );
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("link-0")] });
    expect(resolve(problem).operators).toHaveLength(5_000);
  });

  test("a chain of five thousand wishes is not", () => {
    const wish = (number: number) =>
      constraint({
        package: { packageName: `link-${number + 1}`, versionRange: ">=0.0.0" },
        action: { id: "require", optional: true },
      });
    const packages = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, number) => [`link-${number}`, { "1.0.0": [wish(number)] }]),
    );
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("link-0")] });
    const { operators, optionalNotMet } = resolve(problem);
    expect([operators.length, optionalNotMet.length]).toEqual([1, 1]);
  });

  test("a none that touches every bundle", () => {
    const packages: Record<string, Versions> = {
      hermit: { "1.0.0": [constraint({ none: { constraints: [{ cel: { rule: "true" } }] } })] },
    };
    for (let number = 0; number < 2_000; number++) packages[`other-${number}`] = { "1.0.0": [] };
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("hermit")] });
    // The cluster itself is somebody, too.
    expect(resolve(problem).outcome).toBe("Unsatisfiable");
    packages.hermit = { "1.0.0": [constraint({ none: { constraints: [{ cel: { rule: "size(properties) > 0" } }] } })] };
    const alone = scene({ catalogs: [stocked(packages)], requests: [request("hermit")] });
    expect(resolve(alone).operators.map(({ package: name }) => name)).toEqual(["hermit"]);
    const two = scene({ catalogs: [stocked(packages)], requests: [request("hermit"), request("other-7")] });
    expect(resolve(two).outcome).toBe("Partial");
  });
});

describe("a resolver that is asked again", () => {
  test("gives the same answers as new ones", () => {
    const catalog = stocked({
      lamp: { "1.0.0": [needs("Oil")], "2.0.0": [needs("Oil"), needs("Wick")] },
      oil: { "1.0.0": [provides("Oil")] },
      wick: { "1.0.0": [provides("Wick")] },
    });
    const wish = { lamp: request("lamp"), oil: request("oil"), wick: request("wick") };
    const base = scene({ catalogs: [catalog] });
    const installed = [running("oil.v1.0.0", [provides("Oil")], { package: "oil" })];
    const problems: Problem[] = [
      { ...base, requests: [wish.lamp] },
      { ...base, requests: [wish.lamp, wish.wick] },
      { ...base, requests: [wish.oil], installed },
      { ...base, requests: [wish.lamp], installed },
      { ...base, requests: [] },
      { ...base, requests: [wish.lamp] },
    ];
    const kept = new Resolver();
    for (const problem of problems) {
      const { statistics: _, ...again } = kept.resolve(problem);
      const { statistics: __, ...anew } = resolve(problem);
      expect(again).toEqual(anew);
    }
  });
});

test("a namespace is resolved on top of what others will be", () => {
  const catalog = stocked({ lamp: { "1.0.0": [provides("Light")], "2.0.0": [] } });
  const lamp = (namespace: string) => running("lamp.v1.0.0", [provides("Light")], { namespace, package: "lamp" });
  const reader = running("reader.v1.0.0", [needs("Light")], { namespace: "south", package: "reader" });
  const update = { ...request("lamp"), installed: "lamp.v1.0.0" };
  const north = scene({
    namespace: "north",
    catalogs: [catalog],
    requests: [update],
    installed: [lamp("north")],
    elsewhere: [lamp("south"), reader],
  });
  const south = scene({
    namespace: "south",
    catalogs: [catalog],
    requests: [update],
    installed: [lamp("south"), reader],
    elsewhere: [lamp("north")],
  });
  const first = resolve(north);
  expect(first.operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0"]);
  // By itself the south could go as well, because the lamp of the north gives light; together they would break the reader.
  expect(resolve(south).operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0", "reader.v1.0.0"]);
  expect(resolve(afterOthers(south, [first])).operators.map(({ name }) => name)).toEqual([
    "lamp.v1.0.0",
    "reader.v1.0.0",
  ]);
});
