import { expect, test } from "vitest";
import { provides, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Problem } from "../../model/problem.ts";
import { explain } from "../../resolve/explain/subject.ts";
import type { Source } from "../resolve/sources.ts";
import { declarationsOf } from "./shown.ts";

function declared(problem: Problem, owner: string): readonly Source[] {
  return declarationsOf(explain(problem, { package: owner }));
}

test("of each package its newest bundle, at the property that declares the API", () => {
  const catalogs = [
    stocked({
      bell: { "1.0.0": [provides("Sound")], "2.0.0": [provides("Light"), provides("Sound")] },
      horn: { "1.0.0": [provides("Light"), provides("Sound")] },
    }),
  ];
  const facts = declared(scene({ catalogs, requests: [request("bell"), request("horn")] }), "horn");
  expect(facts.map(({ what, place }) => [what, place.line, place.path])).toEqual([
    ["bell 2.0.0 in catalog main", 4, ["properties", 2]],
    ["horn 1.0.0 in catalog main", 7, ["properties", 2]],
  ]);
});

test("what runs is where it is", () => {
  const catalogs = [stocked({ horn: { "1.0.0": [provides("Sound")] } })];
  const place = { source: "cluster.yaml", line: 7, column: 1 };
  const installed = [running("bell.v1.0.0", [provides("Sound")], { place })];
  expect(declared(scene({ catalogs, installed, requests: [request("horn")] }), "horn")).toMatchObject([
    { what: "bell 1.0.0, running", place },
    { what: "horn 1.0.0 in catalog main" },
  ]);
});

test("nothing where no API is the reason", () => {
  expect(declared(scene({ requests: [request("horn")] }), "horn")).toEqual([]);
});
