import { expect, test } from "vitest";
import { needsPackage, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Problem } from "../../model/problem.ts";
import type { Fact } from "../../resolve/explain/fact.ts";
import { explain } from "../../resolve/explain/subject.ts";
import { changed } from "../../resolve/what-if.ts";
import { readVersion } from "../../semver/version.ts";
import { makeStyle } from "../kit/style.ts";
import { type Source, sourceLines, sourcesOf } from "./sources.ts";

function lines(all: readonly Source[]): string[] {
  return sourceLines(all, ({ source, line, column }) => `${source}:${line}:${column}`, makeStyle(false));
}

function sourcesFor(problem: Problem, owner: string, version?: string): string[] {
  const { explanation } = explain(problem, {
    package: owner,
    version: version === undefined ? undefined : readVersion(version),
  });
  return lines(sourcesOf(explanation)).map((line) => line.replace(/^.*? {2,}/, ""));
}

const place = { source: "cluster.yaml", line: 3, column: 1 };
const CATALOG = stocked({
  bell: { "1.0.0": [], "1.1.0": [] },
  clock: { "1.0.0": [needsPackage("bell", "1.0.0")] },
});

test("what is at a place: a Subscription, an installed operator, a bundle of a catalog", () => {
  const clock = running("clock.v1.0.0", [needsPackage("bell", "1.0.0")], { place });
  const bell = running("bell.v1.0.0", [], { place: { ...place, line: 9 } });
  const asked = request("bell", { installed: "bell.v1.0.0", place: { ...place, line: 20 } });
  const held = scene({ catalogs: [CATALOG], installed: [bell, clock], requests: [asked] });
  expect(sourcesFor(held, "bell").sort()).toEqual(["Subscription here/bell", "clock 1.0.0, running"]);
  const asking = scene({ catalogs: [CATALOG], requests: [request("clock")] });
  expect(sourcesFor(asking, "bell")).toEqual(["clock 1.0.0 in catalog main"]);
});

test("a constraint of the administrator is called by its number", () => {
  const entries = ["other", "bell"].map((packageName, index) => ({
    property: {
      type: "olm.constraint",
      value: { none: { constraints: [{ package: { packageName, versionRange: "1.1.0" } }] } },
    },
    place: { ...place, line: index },
  }));
  const problem = scene({ catalogs: [CATALOG], requests: [request("bell")], runtime: { entries, problems: [] } });
  expect(sourcesFor(problem, "bell", "1.1.0")).toEqual(["runtime constraint 2"]);
  const without = changed(problem, { kind: "without-constraint", number: 1 });
  expect(sourcesFor(without, "bell", "1.1.0")).toEqual(["runtime constraint 2"]);
});

test("each place once; the line of a packed file is explained", () => {
  const fact = (subject: string, source: string): Fact => ({
    kind: "waits",
    rule: "subscription",
    request: { id: subject, name: subject, package: subject },
    subject,
    place: { source, line: 7, column: 1 },
  });
  const facts = [fact("a/b", "x.jsonl.gz"), fact("a/b", "x.jsonl.gz"), { ...fact("c/d", "y.yaml"), place: undefined }];
  expect(lines(sourcesOf({ facts: [...facts, fact("e/f", "y.yaml")], operators: [] }))).toEqual([
    "x.jsonl.gz:7:1 (line after unpacking)  Subscription a/b",
    "y.yaml:7:1                             Subscription e/f",
  ]);
});
