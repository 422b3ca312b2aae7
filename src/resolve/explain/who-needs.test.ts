import { describe, expect, test } from "vitest";
import {
  constraint,
  gvk,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../../test/worlds/scene.ts";
import type { Problem } from "../../model/problem.ts";
import { alsoMetTexts, throughText } from "../../render/sentence/needs.ts";
import { explain } from "./subject.ts";
import type { NeedingOperator } from "./who-needs.ts";

/** The tree as indented names; ~ marks what is listed elsewhere. */
function outline(all: readonly NeedingOperator[], indent = ""): readonly string[] {
  return all.flatMap((one) => [
    `${indent}${one.namespace === undefined ? "" : `${one.namespace}/`}${one.name}${one.isRepeated ? "~" : ""}`,
    ...outline(one.neededBy, `${indent}  `),
  ]);
}

function needing(problem: Problem, name: string): readonly string[] {
  return outline(explain(problem, { package: name }).whoNeeds);
}

const CATALOG = stocked({
  harbour: { "1.0.0": [needsPackage("lantern"), needsPackage("bell")] },
  lantern: { "1.0.0": [needs("Fuel")] },
  bell: { "1.0.0": [needs("Fuel"), needsPackage("lantern")] },
  oil: { "1.0.0": [provides("Fuel")] },
});

test("the operators that require it, up to the requested ones; each is listed once, as near as possible", () => {
  const problem = scene({ catalogs: [CATALOG], requests: [request("harbour")] });
  expect(needing(problem, "oil")).toEqual([
    "bell.v1.0.0",
    "  harbour.v1.0.0",
    "lantern.v1.0.0",
    "  bell.v1.0.0~",
    "  harbour.v1.0.0~",
  ]);
  const [bell] = explain(problem, { package: "oil" }).whoNeeds;
  expect(bell && throughText(bell)).toMatch(/Fuel \(example\.com\/v1\)/);
  expect(bell?.request).toBeUndefined();
  expect(bell?.neededBy[0]?.request?.id).toBe("here/harbour");
  expect(needing(problem, "harbour")).toEqual([]);
});

test("a cycle ends where it closes", () => {
  const catalog = stocked({ hen: { "1.0.0": [needsPackage("egg")] }, egg: { "1.0.0": [needsPackage("hen")] } });
  const problem = scene({ catalogs: [catalog], requests: [request("hen")] });
  expect(needing(problem, "egg")).toEqual(["hen.v1.0.0", "  egg.v1.0.0~"]);
});

test("an optional requirement is marked", () => {
  const optional = constraint({ ...gvk("Fuel"), action: { id: "require", optional: true } });
  const catalog = stocked({ lantern: { "1.0.0": [optional] }, oil: { "1.0.0": [provides("Fuel")] } });
  const [lantern] = explain(scene({ catalogs: [catalog], requests: [request("lantern"), request("oil")] }), {
    package: "oil",
  }).whoNeeds;
  expect(lantern).toMatchObject({ name: "lantern.v1.0.0", isOptional: true });
});

test("another provider of the same requirement is listed", () => {
  const elsewhere = [running("oil.v1.0.0", [provides("Fuel")], { namespace: "there" })];
  const catalog = stocked({ oil: { "1.0.0": [provides("Fuel")], "2.0.0": [provides("Fuel")] } });
  const installed = [running("lantern.v1.0.0", [needs("Fuel")]), running("oil.v1.0.0", [provides("Fuel")])];
  const requests = [request("oil", { installed: "oil.v1.0.0" })];
  const { whoNeeds } = explain(scene({ catalogs: [catalog], installed, requests, elsewhere }), { package: "oil" });
  expect(whoNeeds.map((one) => [one.name, alsoMetTexts(one)])).toEqual([["lantern.v1.0.0", ["oil 1.0.0 in there"]]]);
  const alone = explain(scene({ catalogs: [catalog], installed, requests }), { package: "oil" });
  expect(alone.whoNeeds).toMatchObject([{ name: "lantern.v1.0.0", alsoMetBy: [] }]);
});

describe("other namespaces", () => {
  const elsewhere = [running("lantern.v1.0.0", [needs("Fuel")], { namespace: "there" })];
  const installed = [running("oil.v1.0.0", [provides("Fuel")])];

  test("count as well", () => {
    expect(needing(scene({ installed, elsewhere }), "oil")).toEqual(["there/lantern.v1.0.0"]);
  });

  test("do not require what they provide themselves", () => {
    const own = running("oil.v1.0.0", [provides("Fuel")], { namespace: "there" });
    expect(needing(scene({ installed, elsewhere: [...elsewhere, own] }), "oil")).toEqual([]);
  });
});

describe("without it", () => {
  test("rules of installed operators break, and requests lose their operator", () => {
    const problem = scene({
      catalogs: [CATALOG],
      installed: [running("oil.v1.0.0", [provides("Fuel")]), running("lamp.v1.0.0", [needs("Fuel")])],
      requests: [request("oil", { installed: "oil.v1.0.0" }), request("bell")],
    });
    const { loss } = explain(problem, { package: "oil" }, { withLoss: true });
    expect(loss?.broken).toMatchObject([{ operator: { name: "lamp.v1.0.0" } }]);
    expect(loss?.requests.map(({ id }) => id)).toEqual(["here/bell"]);
    expect(loss?.changed.map(({ before, after }) => [before.name, after?.name])).toEqual([
      ["bell.v1.0.0", undefined],
      ["lantern.v1.0.0", undefined],
    ]);
  });

  test("nothing is lost if nothing requires it, and a loss is reported only on request", () => {
    const problem = scene({ catalogs: [CATALOG], requests: [request("oil")] });
    expect(explain(problem, { package: "oil" }, { withLoss: true }).loss).toEqual({
      broken: [],
      requests: [],
      changed: [],
    });
    expect(explain(problem, { package: "oil" }).loss).toBeUndefined();
  });
});

test("a very long chain is cut", () => {
  const packages = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [
      `p${index}`,
      { "1.0.0": index === 0 ? [] : [needsPackage(`p${index - 1}`)] },
    ]),
  );
  const problem = scene({ catalogs: [stocked(packages)], requests: [request("p89")] });
  expect(needing(problem, "p0")).toHaveLength(64);
});
