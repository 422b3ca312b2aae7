// Do warnings name the operator they are about?

import { expect, test } from "vitest";
import { constraint, gvk, needs, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Problem } from "../model/problem.ts";
import { byName } from "../render/sentence/names.ts";
import { warningText } from "../render/sentence/warning.ts";
import { resolve } from "./resolve.ts";
import { compareWarnings, type Warning } from "./warning.ts";

function warningTexts(problem: Problem, code: string): readonly string[] {
  return resolve(problem)
    .warnings.filter((warning) => warning.code === code)
    .map((one) => warningText(one, byName));
}

const THERE = { namespace: "there" };

test("an operator of another namespace is called by its namespace, too", () => {
  const broken = scene({ elsewhere: [running("reader.v1.0.0", [needs("Light")], THERE)] });
  expect(warningTexts(broken, "already-broken")[0]).toMatch(/^there\/reader\.v1\.0\.0 requires /);
  const rivals = scene({
    installed: [running("lamp.v1.0.0", [provides("Light")])],
    elsewhere: [running("torch.v1.0.0", [provides("Light")], THERE)],
  });
  expect(warningTexts(rivals, "already-broken")[0]).toContain("there/torch.v1.0.0");
  const rule = { cel: { rule: "properties.exists(p, p.value.size > 3)" } };
  const unsure = scene({
    catalogs: [stocked({ desk: { "1.0.0": [constraint({ none: { constraints: [rule] } })] } })],
    requests: [request("desk")],
    elsewhere: [running("torch.v1.0.0", [], THERE)],
  });
  expect(warningTexts(unsure, "evaluation-error")[0]).toContain("for there/torch.v1.0.0 that cannot be evaluated");
});

test.each([
  [1, "the only bundle cannot be chosen"],
  [2, "none of the 2 bundles can be chosen"],
])("a rule that nothing meets: %i", (count, text) => {
  const versions = Object.fromEntries(Array.from({ length: count }, (_, minor) => [`1.${minor}.0`, []]));
  const entries = [{ property: constraint(gvk("Gas")), place: undefined }];
  const problem = scene({ catalogs: [stocked({ lamp: versions })], runtime: { entries, problems: [] } });
  expect(warningTexts(problem, "rarely-met")).toEqual([
    `the administrator requires an operator that provides Gas (example.com/v1): ${text}`,
  ]);
});

test("the order of warnings does not depend on the order in which they were found", () => {
  const about = (mistake: string, line?: number): Warning => ({
    code: "malformed-constraint",
    operator: { name: "lamp.v1.0.0" },
    detail: { rule: "malformed-constraint", mistakes: [{ message: mistake }], more: 0 },
    ...(line !== undefined && { place: { source: "a.yaml", line, column: 1 } }),
  });
  const [last, nowhere, first] = [about("a", 5), about("b"), about("c", 1)];
  const ordered = [nowhere, first, last];
  for (const found of [
    [last, nowhere, first],
    [nowhere, last, first],
    [first, nowhere, last],
    [last, first, nowhere],
  ])
    expect(found.toSorted(compareWarnings)).toEqual(ordered);
});
