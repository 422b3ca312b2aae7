// Do the files of deploy/monitoring fit to the controllers? Every metric and label that an alert or a panel names is documented in
// docs/operations.md, every alert has a runbook there, and the dashboard is one that Grafana can import.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type DocumentedMetric, documentedMetrics, PAGE } from "./metric-tables.ts";
import { namesIn } from "./promql.ts";

const FOLDER = "deploy/monitoring";
const DOCUMENTED: ReadonlyMap<string, DocumentedMetric> = new Map(documentedMetrics().map((one) => [one.name, one]));
/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ["instance"];
const TEXT = readFileSync(PAGE, "utf8");

/** The metric behind a name in an expression, with the labels that it has there; undefined if there is none. */
function metricOf(name: string): DocumentedMetric | undefined {
  const plain = DOCUMENTED.get(name);
  if (plain !== undefined) return plain.isHistogram ? undefined : plain;
  const [, histogram = "", part] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
  const one = DOCUMENTED.get(histogram);
  return one?.isHistogram ? { ...one, labels: part === "bucket" ? [...one.labels, "le"] : one.labels } : undefined;
}

/** What is wrong with the names in an expression. */
function wrongNames(expression: string): readonly string[] {
  const { selected, grouped } = namesIn(expression);
  const wrong = selected.flatMap(({ metric, labels }) => {
    const known = metricOf(metric);
    if (known === undefined) return [`${metric} is not documented`];
    return labels.filter((label) => !known.labels.includes(label)).map((label) => `${metric} has no label ${label}`);
  });
  const labels = [...OF_PROMETHEUS, ...selected.flatMap(({ metric }) => metricOf(metric)?.labels ?? [])];
  return [
    ...wrong,
    ...grouped.filter((label) => !labels.includes(label)).map((label) => `nothing has a label ${label}`),
  ];
}

/** The objects in a list of an object. */
function listOf(object: JsonObject, field: string): readonly JsonObject[] {
  const list = object[field];
  return isList(list) ? list.filter(isObject) : [];
}

test.each([
  ["rate(plimsoll_leading[5m]", ") is missing"],
  ["max(plimsoll_leading))", ") closes nothing"],
  ["max(plimsoll_leading) # all", "unknown character"],
])("the scan refuses %s", (expression, message) => {
  expect(() => namesIn(expression)).toThrow(message);
});

test.each([
  ["plimsoll_leader > 0", ["plimsoll_leader is not documented"]],
  [
    'sum by (kind) (rate(plimsoll_writes_total{outcome!~"ok"}[5m]))',
    ["plimsoll_writes_total has no label outcome", "nothing has a label kind"],
  ],
  ["rate(plimsoll_resolve_seconds[5m])", ["plimsoll_resolve_seconds is not documented"]],
  ["sum by (le) (rate(plimsoll_resolve_seconds_bucket[5m])) > 1 and on (instance) plimsoll_leading == 1", []],
])("wrong names are found: %s", (expression, wrong) => {
  expect(wrongNames(expression)).toEqual(wrong);
});

describe("prometheus-rules.yaml", () => {
  const [resource = {}, ...others] = documentsOf(`${FOLDER}/prometheus-rules.yaml`);
  const groups = listOf(partOf(resource, "spec"), "groups");
  const rules = groups.flatMap((group) => listOf(group, "rules"));
  const names = [...new Set(rules.map(({ alert }) => `${alert}`))];
  /** The page below the heading of an alert. */
  const runbookOf = (alert: unknown): string => TEXT.split(`\n### ${alert}\n`)[1]?.split(/^##/m)[0] ?? "";

  test("is one PrometheusRule, with a group for each controller", () => {
    expect(others).toEqual([]);
    expect([resource.apiVersion, resource.kind]).toEqual(["monitoring.coreos.com/v1", "PrometheusRule"]);
    expect(groups.map(({ name }) => name)).toEqual(["plimsoll", "plimsoll-placement", "plimsoll-resolution"]);
    for (const controller of ["placement", "resolution"]) expect(TEXT).toContain(`\`plimsoll-${controller}\``);
  });

  test.each(rules.map((rule) => [`${rule.alert}: ${rule.expr}`, rule] as const))("%s", (_, rule) => {
    const { alert, expr, for: wait = "0m", labels, annotations, ...unknown } = rule;
    expect(unknown).toEqual({});
    expect(alert).toMatch(/^Plimsoll[A-Z][A-Za-z]+$/);
    expect(wrongNames(`${expr}`)).toEqual([]);
    expect(namesIn(`${expr}`).selected).not.toEqual([]);
    expect(wait).toMatch(/^[1-9]\d*[mh]$|^0m$/);
    const { severity, ...otherLabels } = labels as JsonObject;
    expect([otherLabels, ["critical", "warning"].includes(`${severity}`)]).toEqual([{}, true]);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/^[A-Z{].*\.$/),
      description: expect.stringMatching(/^[A-Z].*\.$/),
      runbook: `${PAGE}#${`${alert}`.toLowerCase()}`,
    });
    const used = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    const { grouped } = namesIn(`${expr}`);
    expect(used.filter((label) => !grouped.includes(label as string))).toEqual([]);
  });

  test("what is 0 if something is wrong alerts although only one replica says so", () => {
    const ofZero = rules.flatMap(({ expr }) =>
      [...`${expr}`.matchAll(/(\w+)(?: by \([^)]*\))? ?\((plimsoll_\w+)\) == 0/g)].map(([, how, metric]) => [
        metric,
        how,
      ]),
    );
    expect(Object.fromEntries(ofZero)).toEqual({
      plimsoll_kind_synced: "min",
      plimsoll_catalog_ready: "min",
      plimsoll_constraints_valid: "min",
    });
  });

  test("each alert has a runbook that says how bad it is, what it means and what to do, and each runbook an alert", () => {
    const [, below = ""] = TEXT.split("\n## Alerts\n");
    const [section = ""] = below.split(/^## /m);
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect([...headings].sort()).toEqual([...names].sort());
    for (const { alert, labels, for: wait } of rules) {
      const text = runbookOf(alert).trim();
      expect(text.startsWith(`${(labels as JsonObject).severity}, `), `${alert}`).toBe(true);
      if (wait !== undefined) expect(text, `${alert}`).toContain(`after ${inWords(`${wait}`)}`);
      expect(text, `${alert}`).toMatch(/\*\*[A-Z]/);
      expect(text, `${alert}`).toMatch(/^1\. /m);
    }
  });

  /** `5m` as the page says it. */
  function inWords(wait: string): string {
    return wait === "1h" ? "an hour" : wait.replace(/m$/, " minutes");
  }

  test("what they are about: nothing that was asked for is missing", () => {
    const metrics = new Set(rules.flatMap(({ expr }) => namesIn(`${expr}`).selected.map(({ metric }) => metric)));
    for (const metric of [
      "plimsoll_leading",
      "plimsoll_catalog_ready",
      "plimsoll_constraints_valid",
      "plimsoll_resolutions",
      "plimsoll_queue_depth",
      "plimsoll_writes_total",
      "plimsoll_engine_restarts_total",
      "plimsoll_webhook_certificate_expiry_seconds",
      "plimsoll_kind_failing",
      "plimsoll_kind_synced",
    ])
      expect(metrics).toContain(metric);
  });
});

describe("grafana-dashboard.json", () => {
  const dashboard = JSON.parse(readFileSync(`${FOLDER}/grafana-dashboard.json`, "utf8")) as JsonObject;
  const panels = listOf(dashboard, "panels");
  const SOURCE = { type: "prometheus", uid: "$" + "{datasource}" };

  test("is a dashboard that asks for its data source", () => {
    expect(dashboard).toMatchObject({ title: "Plimsoll", uid: "plimsoll", schemaVersion: expect.any(Number) });
    const variables = listOf(partOf(dashboard, "templating"), "list");
    expect(variables.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["controller", "query"],
    ]);
    expect(dashboard).not.toHaveProperty("id");
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test.each(panels.map((panel) => [`${panel.title}`, panel] as const))("%s", (_, panel) => {
    if (panel.type === "row") return expect(panel).toMatchObject({ collapsed: false, panels: [] });
    expect(["stat", "timeseries", "table"]).toContain(panel.type);
    expect(panel).toMatchObject({ datasource: SOURCE, description: expect.stringMatching(/\.$/) });
    const targets = listOf(panel, "targets");
    expect(targets).not.toEqual([]);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { expr, datasource } of targets) {
      expect(datasource).toEqual(SOURCE);
      expect(wrongNames(`${expr}`)).toEqual([]);
    }
  });

  test("no panel covers another one, and none is too wide", () => {
    const taken = new Map<string, unknown>();
    for (const { title, gridPos } of panels) {
      const { x, y, w, h } = gridPos as Readonly<Record<"x" | "y" | "w" | "h", number>>;
      expect(x + w, `${title}`).toBeLessThanOrEqual(24);
      for (let row = y; row < y + h; row++)
        for (let column = x; column < x + w; column++) {
          expect(taken.get(`${row} ${column}`), `${title}`).toBeUndefined();
          taken.set(`${row} ${column}`, title);
        }
    }
  });

  test("shows every metric that is documented", () => {
    const expressions = panels.flatMap((panel) => listOf(panel, "targets").map(({ expr }) => `${expr}`));
    const shown = new Set(
      expressions.flatMap((expression) => namesIn(expression).selected.map(({ metric }) => metricOf(metric)?.name)),
    );
    expect([...DOCUMENTED.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe("pod-monitor.yaml", () => {
  const [monitor = {}] = documentsOf(`${FOLDER}/pod-monitor.yaml`);
  const { selector, podMetricsEndpoints } = partOf(monitor, "spec");

  test.each(["placement", "resolution"])("selects the pods of the %s controller, and a port that they have", (name) => {
    const [deployment = {}] = documentsOf(`deploy/${name}/deployment.yaml`);
    const template = partOf(partOf(deployment, "spec"), "template");
    const labels = partOf(partOf(template, "metadata"), "labels");
    expect(labels).toMatchObject(partOf(selector as JsonObject, "matchLabels"));
    for (const { key, values } of listOf(selector as JsonObject, "matchExpressions"))
      expect(values).toContain(labels[`${key}`]);
    const [container = {}] = listOf(partOf(template, "spec"), "containers");
    const [endpoint] = podMetricsEndpoints as readonly JsonObject[];
    expect(listOf(container, "ports").map((port) => port.name)).toContain(endpoint?.port);
    expect(partOf(monitor, "metadata").namespace).toBe(partOf(deployment, "metadata").namespace);
  });
});

describe(PAGE, () => {
  test("documents each metric once, with a controller where both have it", () => {
    const all = documentedMetrics();
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const ofProcess = /^process_|^plimsoll_build_info$/;
    for (const { name, labels } of documentedMetrics("Both controllers"))
      expect(labels.includes("controller"), name).toBe(!ofProcess.test(name));
  });

  test("names no metric that it does not document", () => {
    const named = TEXT.match(/\b(?:plimsoll|process)_[a-z_]+/g) ?? [];
    expect([...new Set(named)].filter((name) => !DOCUMENTED.has(name) && metricOf(name) === undefined)).toEqual([]);
  });

  test("has expressions that Prometheus can read", () => {
    const [, block = ""] = /^```promql\n([\s\S]*?)^```$/m.exec(TEXT) ?? [];
    const lines = block.trim().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(wrongNames(line)).toEqual([]);
  });
});
