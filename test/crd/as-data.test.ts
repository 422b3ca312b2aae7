// Is a report on the change of definitions plain data? After a trip through JSON it is the same, and looks the same in
// every form.

import { describe, expect, test } from "vitest";
import { checkUpgrade } from "../../src/crd/check-upgrade.ts";
import { CRD_RULES, type CrdCode } from "../../src/crd/finding-codes.ts";
import { type CheckedDefinition, checkedDefinition, countSeverities } from "../../src/crd/report.ts";
import { NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import { verdictOf } from "../../src/crd/verdict.ts";
import type { CustomResource, CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import { type JsonObject, printJson } from "../../src/model/json.ts";
import { crdMarkdown } from "../../src/render/crd/markdown.ts";
import { crdGithub, crdReport, crdSarif } from "../../src/render/crd/report.ts";
import type { CrdCheck } from "../../src/render/crd/shown.ts";
import { crdText } from "../../src/render/crd/text.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { crdHelp, crdMessage, crdWhy } from "../../src/render/sentence/crd.ts";
import { SCHEMA_EXAMPLES } from "./schema-examples.ts";
import { VERSION_EXAMPLES } from "./version-examples.ts";
import { definition, spec, winch } from "./winches.ts";

interface Given {
  readonly before: CustomResourceDefinition | undefined;
  readonly after: CustomResourceDefinition | undefined;
  readonly more?: Partial<typeof NOTHING_KNOWN> | undefined;
}

/** The examples of every rule, and values and faults that JSON would change if they were carried as they are. */
const GIVEN: Readonly<Record<string, Given>> = {
  ...Object.fromEntries(
    Object.entries({ ...VERSION_EXAMPLES, ...SCHEMA_EXAMPLES }).map(([code, { before, after, given }]) => [
      code,
      { before: before && definition(before), after: after && definition(after), more: given },
    ]),
  ),
  "digits beyond 2^53": field({ maximum: 2n ** 60n, default: 2n ** 63n }, { maximum: 2n ** 59n, default: -0 }),
  "keys of any name": field({ default: {} }, { default: JSON.parse('{"b": 1, "__proto__": 2, "a": null}') }),
  "a large value": field({ default: "x".repeat(10_000) }, { default: Array.from({ length: 2000 }, () => 1) }),
  "an object that is wrong in many ways": field(
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    {
      type: "object",
      required: ["r"],
      additionalProperties: false,
      maxProperties: 1,
      properties: {
        n: { type: "integer", format: "int32", maximum: 3, multipleOf: 2 },
        m: { type: "integer" },
        t: { type: "string", pattern: "^a", format: "date", maxLength: 2, enum: ["a", { b: 1 }] },
        l: { type: "array", minItems: 9, "x-kubernetes-list-type": "set", items: { anyOf: [{ type: "string" }] } },
        k: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["id", "zone"],
          items: { type: "object" },
        },
        e: { type: "object", "x-kubernetes-embedded-resource": true },
        o: { oneOf: [{ minimum: 0 }, { minimum: 1 }], not: { minimum: 2 } },
      },
    },
    ...[
      { n: 2n ** 60n },
      { n: 5, m: 2n ** 70n },
      { t: "b\u202eb" },
      { l: [1, 1, "a"] },
      { k: [{ id: 1 }, { id: 1 }, 3] },
      { e: { kind: "A b", metadata: { name: "..", labels: { "a b": 1 }, generation: -1 } } },
      { o: 7, zz: [] },
    ].map((a, index) => winch(`w${index}`, "v1", { a })),
  ),
  "an object without a namespace": field(
    {},
    { type: "string" },
    { ...winch("w", "v1", { a: 1 }), namespace: undefined },
  ),
  "rules that do not hold, do not compile or cost too much": field(
    {},
    {
      type: "array",
      items: { type: "integer" },
      "x-kubernetes-validations": [
        { rule: "self.all(x, self.all(y, self.all(z, x + y + z >= 0)))" },
        { rule: "self[0] / 0 == 1" },
        { rule: "self[0] == 1" },
        { rule: "self[0] == 1", message: "the first one is 1" },
        { rule: "nothing", reason: "None", fieldPath: ".b" },
      ],
    },
    winch("many", "v1", { a: Array.from({ length: 300 }, () => 2) }),
  ),
};

function field(before: JsonObject, after: JsonObject, ...objects: readonly CustomResource[]): Given {
  const written = (schema: JsonObject): CustomResourceDefinition =>
    definition({ versions: { v1: { flags: "served storage", schema: spec({ a: schema }) } } });
  return { before: written(before), after: written(after), more: objects.length === 0 ? {} : { objects } };
}

function reportOn({ before, after, more = {} }: Given): CrdCheck {
  const all = checkUpgrade(before, after, { ...NOTHING_KNOWN, ...more });
  const checked: Pick<CheckedDefinition, "owners" | "objects" | "stored"> = {
    owners: more.owners ?? 1,
    objects: more.objects?.length,
    stored: more.stored,
  };
  return {
    definitions: [checkedDefinition(after?.name ?? before?.name ?? "", before, after, checked)],
    notCompared: [],
    verdict: verdictOf(all, "warning", true),
    failOn: "warning",
    listed: all.map((finding) => ({ finding })),
    counts: countSeverities(all),
  };
}

const FORMS: Readonly<Record<string, (report: CrdCheck) => string>> = {
  text: (report) => crdText(report, makeStyle(false)),
  markdown: crdMarkdown,
  json: (report) => printJson(crdReport(report)),
  sarif: (report) => printJson(crdSarif(report, "1.0.0")),
  github: crdGithub,
};

describe.each(Object.entries(GIVEN))("%s", (_, given) => {
  const report = reportOn(given);
  const parsed = JSON.parse(JSON.stringify(report)) as CrdCheck;

  test("comes whole through JSON and a structured clone", () => {
    expect(report.listed).not.toEqual([]);
    expect(parsed).toStrictEqual(report);
    expect(structuredClone(report)).toStrictEqual(report);
  });

  test.each(Object.entries(FORMS))("looks the same as %s", (_form, print) => {
    expect(print(parsed)).toBe(print(report));
  });

  test("has a sentence for each finding, with nothing undefined in it", () => {
    for (const { finding } of report.listed)
      for (const sentence of [crdMessage(finding), crdHelp(finding), crdWhy(finding)])
        expect(sentence).toMatch(/^(?!.*(?:undefined|\[object )).+$/su);
  });
});

test("every code is among the reports", () => {
  const codes = new Set(Object.values(GIVEN).flatMap((given) => reportOn(given).listed.map((one) => one.finding.code)));
  expect([...codes].sort()).toEqual((Object.keys(CRD_RULES) as CrdCode[]).sort());
});
