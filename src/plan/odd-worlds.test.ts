import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { brings, definition, definitionObject } from "../../test/crd/winch-definitions.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { kept, planned, ran, summaryLines, target } from "../../test/plan/summary-lines.ts";
import { PLACE } from "../../test/resolve/prepare-given.ts";
import { constraint, gvk, needsPackage, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem, Request } from "../model/problem.ts";
import { findPlans } from "./make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "./plan.ts";

type Packages = Parameters<typeof stocked>[0];

/** All of these at 1.0.0. */
function world(packages: Packages, more: Partial<Problem> = {}): Problem {
  const catalogs = [stocked(packages)];
  const operators = Object.keys(packages).map((owner) => ran({ catalogs }, `${owner}.v1.0.0`));
  return scene({ catalogs, ...kept(operators), ...more });
}

/** A definition without the APIs that it brings. */
function definedBy(object: JsonObject): readonly Property[] {
  return brings(object).filter(({ type }) => type !== "olm.gvk");
}

/** The documents of a package with one channel. */
function packaged(
  owner: string,
  channel: string,
  entries: readonly JsonObject[],
  versions: readonly string[],
): JsonObject[] {
  return [
    { schema: "olm.package", name: owner, defaultChannel: channel },
    { schema: "olm.channel", package: owner, name: channel, entries },
    ...versions.map((version) => bundle(owner, version, [])),
  ];
}

describe("rules that were broken before", () => {
  test("a rule that is repaired and broken again in one generation was never whole", () => {
    const alone = constraint({ none: { constraints: [gvk("K")] } });
    const catalogs = [stocked({ a: { "1.0.0": [provides("K")], "2.0.0": [] }, b: { "1.0.0": [provides("K")] } })];
    const operators = [ran({ catalogs }, "a.v1.0.0"), running("x.v1.0.0", [alone])];
    const { installed, requests } = kept(operators);
    const plan = planned(scene({ catalogs, installed, requests: [...requests, request("b")] }));
    expect(summaryLines(plan)).toEqual(["1: a 1.0.0 → 2.0.0", "1: b +1.0.0"]);
  });

  test("present operators are providers, even if a missing catalog might have had others", () => {
    const either = constraint({ any: { constraints: [gvk("K"), gvk("L")] } });
    const main = stocked({
      e: { "1.0.0": [provides("K"), needsPackage("y", ">=2.0.0")] },
      y: { "1.0.0": [], "2.0.0": [either] },
    });
    const d: Packages = {
      d: { "1.0.0": [provides("L"), needsPackage("y", ">=2.0.0")] },
      z: { "1.0.0": [needsPackage("d")] },
    };
    const catalogs = [main, stocked(d, { name: "second", priority: -10 })];
    const { installed, requests } = kept([ran({ catalogs }, "y.v1.0.0")]);
    const unavailable = [{ name: "first", priority: -5, reason: "it is away" }];
    const asked = [request("e"), ...requests, request("z")];
    expect(summaryLines(planned(scene({ catalogs, installed, requests: asked, unavailable })))).not.toEqual([]);
  });
});

describe("Subscriptions", () => {
  test("two requests that share an operator, for different packages, take different paths", () => {
    const successors = ["c", "d"].flatMap((owner) =>
      packaged(
        owner,
        "stable",
        [
          { name: `${owner}.v2.0.0`, replaces: "b.v1.0.0" },
          { name: `${owner}.v3.0.0`, replaces: `${owner}.v2.0.0` },
        ],
        ["2.0.0", "3.0.0"],
      ),
    );
    const catalogs = [stocked({ b: { "1.0.0": [] } }, {}, successors)];
    const requests = ["c", "d"].map((owner) => request(owner, { installed: "b.v1.0.0", place: PLACE }));
    const plan = planned(scene({ catalogs, installed: [ran({ catalogs }, "b.v1.0.0")], requests }));
    expect(plan.after.installed.map(({ name }) => name)).toEqual(["c.v3.0.0", "d.v3.0.0"]);
    expect(plan.after.requests.map(({ installed }) => installed)).toEqual(["c.v3.0.0", "d.v3.0.0"]);
  });

  test("generated ones never have the same name, nor that of another", () => {
    const ring = [
      ...packaged("a-b", "c", [{ name: "a-b.v1.0.0" }], []),
      bundle("a-b", "1.0.0", [{ type: "olm.package.required", value: { packageName: "a", versionRange: ">=0.0.0" } }]),
      ...packaged("a", "b-c", [{ name: "a.v1.0.0" }], []),
      bundle("a", "1.0.0", [{ type: "olm.package.required", value: { packageName: "a-b", versionRange: ">=0.0.0" } }]),
    ];
    const catalogs = [
      stocked({ x: { "1.0.0": [needsPackage("a"), needsPackage("a-b")] }, o: { "1.0.0": [] } }, {}, ring),
    ];
    const taken = request("o", { id: "here/a-b-c-main-here", name: "a-b-c-main-here", place: PLACE });
    const plan = planned(scene({ catalogs, requests: [taken, request("x", { place: PLACE })] }));
    expect(plan.after.requests.map(({ name, installed }) => [name, installed])).toEqual([
      ["a-b-c-main-here", "o.v1.0.0"],
      ["a-b-c-main-here-2", "a.v1.0.0"],
      ["a-b-c-main-here-3", "a-b.v1.0.0"],
      ["x", "x.v1.0.0"],
    ]);
  });

  test("a dependency that waits for approval is on no path to a target", () => {
    const catalogs = [stocked({ a: { "1.0.0": [], "2.0.0": [needsPackage("d")] }, d: { "1.0.0": [] } })];
    const { installed, requests } = kept([ran({ catalogs }, "a.v1.0.0")]);
    const asked = [...requests, request("d", { approval: "Manual" })];
    const plan = planned(scene({ catalogs, installed, requests: asked }), { to: target("a@2.0.0") });
    expect(plan.target?.isReached).toBe(false);
    expect(explanationText(plan.target?.explanation)).toContain("Subscription here/d requires approval");
    expect(plan.last.pendingApproval.map(({ awaiting }) => awaiting)).toEqual([["a"]]);
  });
});

describe("several namespaces", () => {
  test("an optional requirement that another namespace no longer meets is met again", () => {
    const optional = constraint({ ...gvk("K"), action: { id: "require", optional: true } });
    const catalogs = [
      stocked({
        x: { "1.0.0": [optional] },
        k: { "1.0.0": [provides("K")], "2.0.0": [] },
        alt: { "1.0.0": [provides("K")] },
      }),
    ];
    const here = kept([ran({ catalogs }, "x.v1.0.0")]);
    const there = kept([{ ...ran({ catalogs }, "k.v1.0.0"), namespace: "there" }]);
    const options = { installOptional: true };
    const plans = findPlans(
      [
        scene({ catalogs, ...here, elsewhere: there.installed }, options),
        scene({ catalogs, namespace: "there", ...there, elsewhere: here.installed }, options),
      ],
      DEFAULT_PLAN_OPTIONS,
    );
    expect(plans.map(summaryLines)).toEqual([["2: alt +1.0.0"], ["1: k 1.0.0 → 2.0.0"]]);
  });

  test("one definition is changed once in a generation", () => {
    const [both, unserved, gone] = [["v1*", "v2"], ["v1*", "-v2"], ["v1*"]].map((versions) =>
      definitionObject(versions),
    );
    const lane = (
      owner: string,
      namespace: string,
      object: JsonObject,
    ): Pick<Problem, "catalogs" | "installed" | "requests" | "namespace"> => {
      const catalogs = [stocked({ [owner]: { "1.0.0": [], "2.0.0": definedBy(object) } })];
      return { namespace, catalogs, ...kept([{ ...ran({ catalogs }, `${owner}.v1.0.0`), namespace }]) };
    };
    const definitions = [{ definition: definition(both as JsonObject, ["v1"]), objects: [] }];
    const [a, b] = [lane("a", "one", unserved as JsonObject), lane("b", "two", gone as JsonObject)];
    const plans = findPlans(
      [scene({ ...a, elsewhere: b.installed, definitions }), scene({ ...b, elsewhere: a.installed, definitions })],
      DEFAULT_PLAN_OPTIONS,
    );
    expect(plans.map(summaryLines)).toEqual([["1: a 1.0.0 → 2.0.0"], ["2: b 1.0.0 → 2.0.0"]]);
  });

  test("a removed operator is not part of the last answer", () => {
    const problem = world({ bell: { "1.0.0": [] }, rope: { "1.0.0": [] } });
    const requests = problem.requests.map((one) =>
      one.package === "rope" ? { ...one, isGenerated: true as const } : one,
    );
    const plan = planned({ ...problem, requests }, { prune: true });
    expect(plan.last.operators.map(({ name }) => name)).toEqual(["bell.v1.0.0"]);
  });
});

describe("the path to a target", () => {
  test("includes owners of the same kind in another version", () => {
    const api = (version: string): Property => ({
      type: "olm.gvk",
      value: { group: "quay.example.com", version, kind: "Winch" },
    });
    const [before, after] = [{}, { maxLength: 3 }].map((more) =>
      definitionObject(["v1*", "v2"], { a: { type: "string", ...more } }),
    );
    const packages = {
      a: { "1.0.0": [api("v1")], "2.0.0": [api("v1"), ...definedBy(after as JsonObject)] },
      c: { "1.0.0": [api("v2")], "2.0.0": [] },
    };
    const definitions = [{ definition: definition(before as JsonObject, ["v1"]), objects: undefined }];
    const plan = planned(world(packages, { definitions }), { to: target("a@2.0.0") });
    expect([summaryLines(plan), plan.end]).toEqual([["1: c 1.0.0 → 2.0.0", "2: a 1.0.0 → 2.0.0"], "done"]);
  });

  test("takes two operators of one package to one", () => {
    const entries = [
      { name: "a.v1.0.0" },
      { name: "a.v2.0.0", replaces: "a.v1.0.0" },
      { name: "a.v3.0.0", replaces: "a.v2.0.0", skips: ["a.v1.0.0"] },
    ];
    const catalogs = [stocked({}, {}, packaged("a", "stable", entries, ["1.0.0", "2.0.0", "3.0.0"]))];
    const names = ["a.v1.0.0", "a.v2.0.0"];
    const requests = names.map((installed) => request("a", { id: `here/${installed}`, name: installed, installed }));
    const plan = planned(scene({ catalogs, installed: names.map((name) => ran({ catalogs }, name)), requests }), {
      to: target("a@3.0.0"),
    });
    expect([plan.end, plan.after.installed.map(({ name }) => name)]).toEqual(["done", ["a.v3.0.0"]]);
  });

  test("moves an operator whose package is not known", () => {
    const catalogs = [stocked({ a: { "1.0.0": [], "2.0.0": [] }, x: { "1.0.0": [], "2.0.0": [] } })];
    const x = { ...running("x.v1.0.0"), package: undefined, properties: [needsPackage("a", "<2.0.0")] };
    const requests = ["a", "x"].map((owner) => request(owner, { installed: `${owner}.v1.0.0` }));
    const plan = planned(scene({ catalogs, installed: [ran({ catalogs }, "a.v1.0.0"), x], requests }), {
      to: target("a@2.0.0"),
    });
    expect(summaryLines(plan)).toEqual(["1: x 1.0.0 → 2.0.0", "1: a 1.0.0 → 2.0.0"]);
  });

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])("distinguishes states by what definitions have become, and changes one once in a generation (%s, %s)", (x, y) => {
    const ends = [needsPackage("a", ">=2.0.0"), needsPackage("b", ">=2.0.0")];
    const packages = {
      [x]: { "1.0.0": [], "2.0.0": definedBy(definitionObject(["v1*", "-v2"])) },
      [y]: { "1.0.0": [], "2.0.0": definedBy(definitionObject(["v1*", "v2"])) },
      t: { "1.0.0": [], "2.0.0": [...definedBy(definitionObject(["v1*"])), ...ends] },
    };
    const definitions = [{ definition: definition(definitionObject(["v1*", "v2"]), ["v1"]), objects: [] }];
    const plan = planned(world(packages, { definitions }), { to: target("t@2.0.0") });
    expect([plan.end, plan.generations.length, summaryLines(plan).at(-1)]).toEqual(["done", 2, "2: t 1.0.0 → 2.0.0"]);
  });

  test("is that of the request for the package that reaches it", () => {
    const slow = { schema: "olm.channel", package: "a", name: "slow", entries: [{ name: "a.v1.0.0" }] };
    const catalogs = [stocked({ a: { "1.0.0": [], "2.0.0": [] } }, {}, [slow])];
    const requests = ["slow", "stable"].map((channel) =>
      request("a", { id: `here/${channel}`, name: channel, channel }),
    );
    const installed = [ran({ catalogs }, "a.v1.0.0")];
    const [first, second] = requests.map((one) => ({ ...one, installed: "a.v1.0.0" }));
    const asked = [requests[0] as Request, second as Request];
    expect(summaryLines(planned(scene({ catalogs, installed, requests: asked }), { to: target("a@2.0.0") }))).toEqual([
      "1: a 1.0.0 → 2.0.0",
    ]);
    expect(planned(scene({ catalogs, installed, requests: [first as Request] }), { to: target("a@2.0.0") }).end).toBe(
      "no-way",
    );
  });

  test("takes what a waiting Subscription begins with, although no channel leads to it", () => {
    const entries = [{ name: "d.v1.0.0" }, { name: "d.v2.0.0", skips: ["d.v1.0.0"] }];
    const catalogs = [
      stocked(
        { a: { "1.0.0": [], "2.0.0": [needsPackage("d", "1.0.0")] } },
        {},
        packaged("d", "stable", entries, ["1.0.0", "2.0.0"]),
      ),
    ];
    const { installed, requests } = kept([ran({ catalogs }, "a.v1.0.0")]);
    const asked = [...requests, request("d", { startingCSV: "d.v1.0.0" })];
    expect(summaryLines(planned(scene({ catalogs, installed, requests: asked }), { to: target("a@2.0.0") }))).toEqual([
      "1: d +1.0.0",
      "1: a 1.0.0 → 2.0.0",
    ]);
  });
});

describe("orphans", () => {
  test("another member is needed, although the operator has it itself", () => {
    const heavy: Property = { type: "heavy", value: true };
    const other = constraint({
      none: { constraints: [{ none: { constraints: [{ propertyEquals: { name: "heavy", value: true } }] } }] },
    });
    const problem = world({ x: { "1.0.0": [heavy, other] }, y: { "1.0.0": [heavy] } });
    const requests = problem.requests.map((one) =>
      one.package === "y" ? { ...one, isGenerated: true as const } : one,
    );
    expect(planned({ ...problem, requests }).orphans).toEqual([]);
    const without = world({ x: { "1.0.0": [heavy] }, y: { "1.0.0": [heavy] } });
    expect(planned({ ...without, requests: requests }).orphans.map(({ name }) => name)).toEqual(["y.v1.0.0"]);
  });

  test("what would be reinstalled at once is not removed", () => {
    const optional = constraint({ ...gvk("K"), action: { id: "require", optional: true } });
    const catalogs = [stocked({ x: { "1.0.0": [optional] }, cable: { "1.0.0": [provides("K")], "1.1.0": [] } })];
    const operators = ["cable.v1.1.0", "x.v1.0.0"].map((name) => ran({ catalogs }, name));
    const problem = scene(
      { catalogs, ...kept(operators, { cable: { isGenerated: true } }) },
      { installOptional: true },
    );
    const plan = planned(problem, { prune: true });
    expect([plan.generations, plan.orphans.map(({ name }) => name)]).toEqual([[], ["cable.v1.1.0"]]);
  });

  test("those that are there at the beginning are not updated first", () => {
    const problem = world({ bell: { "1.0.0": [], "2.0.0": [] }, rope: { "1.0.0": [], "2.0.0": [] } });
    const requests = problem.requests.map((one) =>
      one.package === "rope" ? { ...one, isGenerated: true as const } : one,
    );
    expect(summaryLines(planned({ ...problem, requests }, { prune: true }))).toEqual([
      "1: rope -1.0.0",
      "2: bell 1.0.0 → 2.0.0",
    ]);
  });
});

test("operators that depend on a postponed change are postponed, too", () => {
  const [one, two] = [["v1", "v2*"], ["v1*"]].map((versions) => definedBy(definitionObject(versions)));
  const catalogs = [
    stocked({
      bell: { "1.0.0": one ?? [] },
      lamp: { "1.0.0": two ?? [] },
      ship: { "1.0.0": [], "2.0.0": [needsPackage("lamp")] },
    }),
  ];
  const { installed, requests } = kept([ran({ catalogs }, "ship.v1.0.0")]);
  const plan = planned(
    scene({ catalogs, installed, requests: [request("bell"), request("lamp"), ...requests], definitions: [] }),
  );
  expect(summaryLines(plan)).toEqual(["1: bell +1.0.0"]);
});

test("a channel that leads back does not prevent updates in another", () => {
  const channel = { schema: "olm.channel", package: "buoy" };
  const documents = [
    { schema: "olm.package", name: "buoy", defaultChannel: "alpha" },
    { ...channel, name: "alpha", entries: [{ name: "buoy.v1.0.0", skipRange: "<9.0.0" }] },
    { ...channel, name: "beta", entries: [{ name: "buoy.v2.0.0", skipRange: "<2.0.0" }] },
    { ...channel, name: "gamma", entries: [{ name: "buoy.v2.0.0" }, { name: "buoy.v3.0.0", replaces: "buoy.v2.0.0" }] },
    ...["1.0.0", "2.0.0", "3.0.0"].map((version) => bundle("buoy", version)),
  ];
  const catalogs = [stocked({}, {}, documents)];
  const plan = planned(scene({ catalogs, ...kept([ran({ catalogs }, "buoy.v1.0.0")], { buoy: { place: PLACE } }) }));
  expect(summaryLines(plan)).toEqual(["1: buoy 1.0.0 → 2.0.0", "2: buoy 2.0.0 → 3.0.0"]);
});
