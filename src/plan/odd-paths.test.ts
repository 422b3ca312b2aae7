import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { brings, definition, definitionObject } from "../../test/crd/winch-definitions.ts";
import { kept, planned, ran, summaryLines, target } from "../../test/plan/summary-lines.ts";
import {
  constraint,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
  type Versions,
} from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";

/** What runs here, of a catalog of these packages. */
function world(
  packages: Parameters<typeof stocked>[0],
  documents: readonly JsonObject[],
  ...names: readonly string[]
): Problem {
  const catalogs = [stocked(packages, {}, documents)];
  return scene({ catalogs, ...kept(names.map((name) => ran({ catalogs }, name))) });
}

/** A package whose channels have these entries, each with what it replaces. */
function channels(owner: string, all: Readonly<Record<string, readonly string[]>>): readonly JsonObject[] {
  const versions = [...new Set(Object.values(all).flat())];
  const entries = (list: readonly string[]): readonly JsonObject[] =>
    list.map((version, index) => ({
      name: `${owner}.v${version}`,
      ...(index > 0 && { replaces: `${owner}.v${list[index - 1]}` }),
    }));
  return [
    { schema: "olm.package", name: owner, defaultChannel: Object.keys(all)[0] ?? "" },
    ...Object.entries(all).map(([name, list]) => ({
      schema: "olm.channel",
      package: owner,
      name,
      entries: entries(list),
    })),
    ...versions.map((version) => bundle(owner, version)),
  ];
}

describe("an operator blocks a path", () => {
  const lib: Versions = Object.fromEntries(Array.from({ length: 302 }, (_, index) => [`1.${index}.0`, []]));
  const t: Versions = { "1.0.0": [], "2.0.0": [needsPackage("lib")] };
  const without = constraint({ none: { constraints: [{ package: { name: "lib", versionRange: ">=0.0.0" } }] } });

  test.each<readonly [string, Property]>([
    ["needs the old version", needsPackage("t", "<2.0.0")],
    ["cannot be beside the dependency", without],
  ])("an operator that %s, with more dependencies than are searched", (_, demand) => {
    const plan = planned(world({ t, u: { "1.0.0": [demand] }, lib }, [], "t.v1.0.0", "u.v1.0.0"), {
      to: target("t@2.0.0"),
    });
    expect([plan.end, plan.generations]).toEqual(["search", []]);
  });

  test.each<readonly [string, readonly Property[]]>([
    ["provides the same", [provides("Y")]],
    [
      "is not wanted beside it",
      [constraint({ none: { constraints: [{ package: { name: "y", versionRange: ">=0.0.0" } }] } })],
    ],
  ])("an operator that %s, if no channel leads to the request", (_, properties) => {
    const documents = [
      { schema: "olm.package", name: "x", defaultChannel: "stable" },
      {
        schema: "olm.channel",
        package: "x",
        name: "stable",
        entries: [{ name: "x.v2.0.0", skips: ["x.v1.0.0"] }, { name: "x.v1.0.0" }],
      },
      bundle(
        "x",
        "1.0.0",
        properties.map(({ type, value }) => ({ type, value })),
      ),
      bundle("x", "2.0.0"),
    ];
    const packages = { t: { "1.0.0": [], "2.0.0": [needsPackage("x", "1.0.0")] }, y: { "1.0.0": [provides("Y")] } };
    const problem = world(packages, documents, "t.v1.0.0", "y.v1.0.0");
    const asked = { ...problem, requests: [...problem.requests, request("x", { startingCSV: "x.v1.0.0" })] };
    for (const to of ["t@2.0.0", "x@1.0.0"]) expect(planned(asked, { to: target(to) }).end, to).toBe("no-way");
  });

  test("the owner of a version that the path would remove, although its properties do not state it", () => {
    const catalogs = [stocked({ t: { "1.0.0": [], "2.0.0": brings(definitionObject(["-v1", "v2*"])) } })];
    const owner = (owned: readonly string[]): Installed => running("y.v1.0.0", [], { owned });
    const definitions = [{ definition: definition(definitionObject(["v1", "v2*"]), ["v2"]), objects: [] }];
    const ends = [["quay.example.com/v1/Winch"], []].map((owned) => {
      const problem = scene({ catalogs, ...kept([ran({ catalogs }, "t.v1.0.0"), owner(owned)]), definitions });
      return planned(problem, { to: target("t@2.0.0") }).end;
    });
    expect(ends).toEqual(["no-way", "done"]);
  });
});

describe("Subscriptions on a path", () => {
  test("the channel is one that leads there", () => {
    const documents = channels("p", { alpha: ["1.0.0", "2.0.0"], beta: ["1.0.0", "2.0.0", "3.0.0"] });
    const catalogs = [stocked({}, {}, documents)];
    const plan = planned(scene({ catalogs, installed: [ran({ catalogs }, "p.v1.0.0")] }), { to: target("p@3.0.0") });
    expect(summaryLines(plan)).toEqual(["1: p 1.0.0 → 2.0.0", "2: p 2.0.0 → 3.0.0"]);
    expect(plan.after.requests.map(({ channel }) => channel)).toEqual(["beta"]);
  });

  test("the catalog is one from which it is safe", () => {
    const refused = { "1.0.0": [needsPackage("anchor", "9.0.0"), needsPackage("anchor", "1.0.0")] };
    const anchor = { anchor: { "1.0.0": [], "9.0.0": [] } };
    const catalogs = [stocked({ cable: refused, ...anchor }), stocked({ cable: { "1.0.0": [] } }, { name: "other" })];
    const plan = planned(scene({ catalogs }), { to: target("cable@1.0.0") });
    expect([summaryLines(plan), plan.after.requests[0]?.catalog?.name]).toEqual([["1: cable +1.0.0"], "other"]);
  });

  test("names in use, also by unrelated ones, are not used again", () => {
    const packages = { t: { "1.0.0": [], "2.0.0": [needsPackage("a"), needsPackage("a-b")] }, w: { "1.0.0": [] } };
    const documents = [...channels("a-b", { c: ["1.0.0"] }), ...channels("a", { "b-c": ["1.0.0"] })];
    const problem = world(packages, documents, "t.v1.0.0", "w.v1.0.0");
    const requests = problem.requests.map((one) =>
      one.package === "w" ? { ...one, id: "here/a-b-c-main-here", name: "a-b-c-main-here" } : one,
    );
    const plan = planned({ ...problem, requests }, { to: target("t@2.0.0") });
    expect(plan.after.requests.map(({ name, package: owner }) => [name, owner])).toEqual([
      ["a-b-c-main-here", "w"],
      ["a-b-c-main-here-2", "a"],
      ["a-b-c-main-here-3", "a-b"],
      ["t", "t"],
    ]);
  });
});

describe("the target", () => {
  test("is not removed, even if nothing requires it", () => {
    const problem = world({ x: { "1.0.0": [], "2.0.0": [] } }, [], "x.v1.0.0");
    const requests = problem.requests.map((one) => ({ ...one, isGenerated: true as const }));
    const options = { to: target("x@2.0.0"), prune: true };
    expect(summaryLines(planned({ ...problem, requests }, options))).toEqual(["1: x 1.0.0 → 2.0.0"]);
  });

  test("is not another package of the same version", () => {
    const documents = channels("t", { stable: ["1.0.0", "2.0.0"] });
    const catalogs = [stocked({}, {}, documents)];
    const problem = scene({
      catalogs,
      installed: [running("old.v2.0.0")],
      requests: [request("t", { installed: "old.v2.0.0" })],
    });
    expect(planned(problem, { to: target("t@2.0.0") }).target?.isReached).toBe(false);
  });

  test("is reached, although no request claims it", () => {
    const catalogs = [stocked({ t: { "1.0.0": [], "2.0.0": [] } })];
    const problem = scene({ catalogs, installed: [ran({ catalogs }, "t.v2.0.0")], requests: [request("t")] });
    expect(planned(problem, { to: target("t@2.0.0") })).toMatchObject({ end: "done", generations: [] });
  });
});
