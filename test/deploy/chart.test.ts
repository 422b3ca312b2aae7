// Does the chart say what the pages and kustomize say? Without helm: what it renders is compared by the tests on real servers.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject, own } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { documentedFlags } from "./flag-table.ts";

const CHART = "deploy/helm/plimsoll";
const [VALUES = {}] = documentsOf(`${CHART}/values.yaml`);

/** The default of a value of the chart. */
function defaultAt(path: string): Json | undefined {
  return path
    .split(".")
    .reduce<Json | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), VALUES);
}

test("its CRD is that of kustomize, byte for byte", () => {
  expect(readFileSync(`${CHART}/files/resolution-crd.yaml`)).toEqual(readFileSync("deploy/resolution/crd.yaml"));
});

describe.each([
  ["docs/controller.md", 7],
  ["docs/resolution.md", 5],
])("the flags of %s", (page, count) => {
  const ofChart = documentedFlags(page).filter(({ value }) => value !== undefined && !value.startsWith(":"));

  test("have values of the chart with the same defaults", () => {
    const pairs = ofChart.filter(({ byDefault }) => byDefault !== undefined);
    expect(pairs.map(({ value }) => `${defaultAt(value as string)}`)).toEqual(pairs.map(({ byDefault }) => byDefault));
    expect(pairs).toHaveLength(count);
  });

  test("are those that the chart sets", () => {
    const controller = page === "docs/controller.md" ? "placement" : "resolution";
    const template = readFileSync(`${CHART}/templates/${controller}/deployment.yaml`, "utf8");
    const set = [...template.matchAll(/^ *- (--[a-z-]+)=\{\{ \.(?:Values\.([A-Za-z.]+))? ?\}\}$/gm)];
    expect(set.map(([, flag]) => flag).sort()).toEqual(ofChart.map(({ flag }) => flag).sort());
    for (const [, flag, value] of set)
      if (value !== undefined) expect(ofChart).toContainEqual(expect.objectContaining({ flag, value }));
    const [, own = ""] = /\$own := "([a-z|-]+)"/.exec(template) ?? [];
    const ofWebhook = controller === "resolution" ? ["webhook-address"] : [];
    const fixed = ["controllers", "namespace", "health-address", "metrics-address", ...ofWebhook];
    expect(own.split("|").sort()).toEqual([...fixed, ...ofChart.map(({ flag }) => flag.slice(2))].sort());
  });
});

test("both controllers need the same of their pods, where they do not differ on purpose", () => {
  const [[placement = {}], [resolution = {}]] = ["placement", "resolution"].map((name) =>
    documentsOf(`deploy/${name}/deployment.yaml`),
  ) as [readonly JsonObject[], readonly JsonObject[]];
  const text = (object: JsonObject): string =>
    JSON.stringify(object, (key, value) =>
      ["env", "volumes", "volumeMounts", "memory"].includes(key) ? undefined : value,
    );
  expect(text(resolution).replaceAll("resolution", "placement")).toBe(text(placement));
});
