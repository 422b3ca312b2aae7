import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Problem, ResolveOptions } from "../../src/model/problem.ts";
import { bruteForce } from "./brute-force.ts";
import { generateWorld } from "./generate.ts";
import { answer, constraint, gvk, needs, needsPackage, provides, request, running, scene, stocked } from "./scene.ts";

/** The best answer in short. */
function best(parts: Partial<Problem>, options: Partial<ResolveOptions> = {}) {
  const found = bruteForce(scene(parts, options));
  if (found === undefined) return undefined;
  const values = Object.fromEntries(found.objectives.map(({ name, value }) => [name, value]));
  return { kept: found.kept, chosen: found.chosen, ...values };
}

const optional = (demand: JsonObject) => constraint({ ...demand, action: { id: "require", optional: true } });

describe("the objectives, level by level", () => {
  test("subscriptions: more, then those of higher priority", () => {
    const catalogs = [
      stocked({ a: { "1.0.0": [provides("X")] }, b: { "1.0.0": [provides("X")] }, c: { "1.0.0": [] } }),
    ];
    const requests = [request("b", { priority: 1 }), request("a"), request("c")];
    expect(best({ catalogs, requests })).toMatchObject({
      chosen: ["main/b.v1.0.0", "main/c.v1.0.0"],
      subscriptions: 2,
    });
  });

  test("updates: as many as can move do, before how far", () => {
    const catalogs = [stocked({ a: { "1.0.0": [], "1.1.0": [] }, b: { "1.0.0": [], "1.1.0": [needs("Nothing")] } })];
    const installed = [running("a.v1.0.0"), running("b.v1.0.0")];
    const requests = installed.map(({ name, package: owner }) => request(owner as string, { installed: name }));
    expect(best({ catalogs, requests, installed })).toMatchObject({
      kept: ["b.v1.0.0"],
      chosen: ["main/a.v1.1.0"],
      updates: 1,
      candidates: [0, 1],
    });
  });

  test("repaired: broken rules are repaired before anything moves", () => {
    const catalogs = [
      stocked({ a: { "1.0.0": [] }, b: { "1.0.0": [provides("Y")], "1.1.0": [provides("X")], "1.2.0": [] } }),
    ];
    const installed = [running("a.v1.0.0", [needs("X")]), running("b.v1.1.0", [provides("X"), needs("Gone")])];
    const requests = [request("b", { installed: "b.v1.1.0" })];
    // Moving repairs one rule, but breaks one that holds.
    expect(best({ catalogs, requests, installed })).toMatchObject({ kept: ["a.v1.0.0", "b.v1.1.0"], repaired: 1 });
    const alone = installed.slice(1);
    expect(best({ catalogs, requests, installed: alone })).toMatchObject({ chosen: ["main/b.v1.2.0"], repaired: 0 });
  });

  test("repaired: a missing provider is installed", () => {
    const catalogs = [stocked({ b: { "1.0.0": [provides("X")] } })];
    const installed = [running("a.v1.0.0", [needs("X")])];
    expect(best({ catalogs, installed })).toMatchObject({ chosen: ["main/b.v1.0.0"], repaired: 0, additional: 1 });
    expect(best({ catalogs, installed }, { compat: true })).toMatchObject({ chosen: ["main/b.v1.0.0"] });
  });

  test("candidates: the first request has the first choice", () => {
    const catalogs = [
      stocked({
        a: { "1.0.0": [], "2.0.0": [provides("X")] },
        b: { "1.0.0": [], "2.0.0": [provides("X")] },
      }),
    ];
    const requests = [request("b", { priority: 1 }), request("a")];
    expect(best({ catalogs, requests })).toMatchObject({
      chosen: ["main/a.v1.0.0", "main/b.v2.0.0"],
      candidates: [0, 1],
    });
  });

  test("additional before optional, unless installOptional is set", () => {
    const catalogs = [stocked({ a: { "1.0.0": [optional(gvk("X"))] }, b: { "1.0.0": [provides("X")] } })];
    const requests = [request("a")];
    expect(best({ catalogs, requests })).toMatchObject({ chosen: ["main/a.v1.0.0"], additional: 0, optional: 0 });
    expect(best({ catalogs, requests }, { installOptional: true })).toMatchObject({
      chosen: ["main/a.v1.0.0", "main/b.v1.0.0"],
      additional: 1,
      optional: 1,
    });
  });

  test("providers: the newest of the default channel, packages by name", () => {
    const catalogs = [
      stocked({
        a: { "1.0.0": [needs("X")] },
        c: { "1.0.0": [provides("X")], "2.0.0": [provides("X")] },
        b: { "1.0.0": [provides("X")], "2.0.0": [needs("Nothing"), provides("X")] },
      }),
    ];
    expect(best({ catalogs, requests: [request("a")] })).toMatchObject({
      chosen: ["main/a.v1.0.0", "main/b.v1.0.0"],
      providers: [1],
    });
  });

  test("providers: the requirer's own catalog comes first, for any priorities", () => {
    const own = stocked(
      { a: { "1.0.0": [needs("X")] }, z: { "1.0.0": [provides("X")] } },
      { name: "own", priority: -5 },
    );
    const other = stocked({ b: { "1.0.0": [provides("X")] } }, { name: "other", priority: 5 });
    const catalogs = [other, own];
    expect(best({ catalogs, requests: [request("a")] })).toMatchObject({
      chosen: ["own/a.v1.0.0", "own/z.v1.0.0"],
      providers: [0],
    });
  });

  test("providers: a none is not walked; optional requirements are, after required ones; so are those of a kept operator", () => {
    const catalogs = [
      stocked({
        a: { "1.0.0": [optional(gvk("X")), constraint({ none: { constraints: [gvk("Y")] } }), needsPackage("k")] },
        m: { "1.0.0": [provides("Z")] },
        x: { "1.0.0": [provides("X")] },
      }),
    ];
    const installed = [running("k.v1.0.0", [constraint({ any: { constraints: [gvk("Z"), gvk("None")] } })])];
    expect(best({ catalogs, installed, requests: [request("a")] })).toMatchObject({
      chosen: ["main/a.v1.0.0", "main/m.v1.0.0"],
      providers: [0, 1, 0, 0],
    });
  });

  test("ids: the last word", () => {
    const catalogs = ["one", "two"].map((name) => stocked({ a: { "1.0.0": [] } }, { name }));
    const two = { ...request("a", { catalog: { name: "two" } }), id: "here/z" };
    expect(best({ catalogs, requests: [two] })).toMatchObject({ chosen: ["two/a.v1.0.0"], ids: ["two/a.v1.0.0"] });
    expect(best({ catalogs, requests: [request("a")] })).toMatchObject({ ids: ["one/a.v1.0.0"], candidates: [0] });
  });

  test("compat: providers before size, and what is there already is not counted", () => {
    const catalogs = [
      stocked({
        a: { "1.0.0": [needs("X"), needs("Y")] },
        b: { "1.0.0": [provides("X")] },
        c: { "1.0.0": [provides("X"), provides("Z"), provides("Y")] },
        d: { "1.0.0": [provides("Y")] },
      }),
    ];
    const requests = [request("a")];
    expect(best({ catalogs, requests })).toMatchObject({ chosen: ["main/a.v1.0.0", "main/c.v1.0.0"], additional: 1 });
    const asOlm = best({ catalogs, requests }, { compat: true });
    expect(asOlm).toMatchObject({ chosen: ["main/a.v1.0.0", "main/b.v1.0.0", "main/d.v1.0.0"], providers: [0, 1] });
    expect(Object.keys(asOlm ?? {})).not.toContain("updates");
    const node = { properties: [provides("X")] };
    expect(best({ catalogs, requests, node }, { compat: true })).toMatchObject({ providers: [0] });
  });

  test("compat in a broken world: there may be no answer", () => {
    expect(best({ installed: [running("a.v1.0.0", [needs("X")])] }, { compat: true })).toBeUndefined();
  });
});

describe("generated worlds", () => {
  const worlds = Array.from({ length: 300 }, (_, seed) => generateWorld(seed));

  test("a seed is a world", () => {
    expect(bruteForce(generateWorld(7))?.objectives).toEqual(bruteForce(generateWorld(7))?.objectives);
  });

  test("they are small, whole and sorted", () => {
    for (const { catalogs, requests } of worlds) {
      expect(catalogs.map(({ dropped }) => dropped)).toEqual(
        catalogs.map(() => ({ packages: 0, channels: 0, bundles: 0 })),
      );
      const bundles = catalogs.flatMap(({ packages }) => [...packages.values()].flatMap((one) => [...one.bundles]));
      expect(bundles.length).toBeLessThanOrEqual(10);
      expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
    }
  });

  test("they have something of everything", () => {
    const properties = (problem: Problem) =>
      problem.catalogs.flatMap(({ byPropertyType }) => [...byPropertyType.keys()]);
    const seen: Record<string, (problem: Problem) => boolean> = {
      compat: ({ options }) => options.compat,
      "gate off": ({ options }) => !options.compoundConstraints,
      unavailable: ({ unavailable }) => unavailable.length > 0,
      removed: ({ gone }) => gone.length > 0,
      elsewhere: ({ elsewhere }) => elsewhere.length > 0,
      held: ({ installed }) => installed.some(({ hold }) => hold !== undefined),
      manual: ({ requests }) => requests.some(({ approval }) => approval === "Manual"),
      starting: ({ requests }) => requests.some(({ startingCSV }) => startingCSV !== undefined),
      range: ({ requests }) => requests.some((one) => one.range !== undefined),
      runtime: ({ runtime }) => runtime.entries.length > 0,
      "unreadable runtime": ({ runtime }) => runtime.problems.length > 0,
      targets: ({ targets }) => targets !== undefined,
      "several of a package": ({ installed }) => new Set(installed.map((one) => one.package)).size < installed.length,
      ...Object.fromEntries(
        ["olm.constraint", "olm.constraint.cel", "olm.gvk.required", "olm.label.required", "olm.deprecated"].map(
          (type) => [type, (problem: Problem) => properties(problem).includes(type)],
        ),
      ),
    };
    const absent = Object.entries(seen).filter(([, isThere]) => !worlds.some(isThere));
    expect(absent.map(([name]) => name)).toEqual([]);
  });
});

test("a scene without the requested name fails", () => {
  expect(() => answer(scene({}), [], ["main/a.v1.0.0"])).toThrow("the scene has no main/a.v1.0.0");
});
