// Do all formats of a report have the same content, for any number of findings and any text?

import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { quotedValue } from "../../crd/check-upgrade.ts";
import type { CrdFinding, SchemaDetail } from "../../crd/finding.ts";
import { type CheckedDefinition, checkedDefinition, countSeverities } from "../../crd/report.ts";
import { verdictOf } from "../../crd/verdict.ts";
import { definitionOf } from "../../model/definition-of.ts";
import type { Json } from "../../model/json.ts";
import { makeStyle } from "../kit/style.ts";
import { crdMarkdown } from "./markdown.ts";
import { crdGithub, crdReport, crdSarif } from "./report.ts";
import { type CrdCheck, valueJson, valueText } from "./shown.ts";
import { crdText } from "./text.ts";

const PLACE = { source: "new.yaml", line: 3, column: 5, exact: true } as const;

const DIFFERENCE: SchemaDetail = {
  kind: "difference",
  change: {
    kind: "enum",
    become: "narrower",
    removed: { values: ['"dog"'], more: 0 },
    now: { values: ['"cat"'], more: 0 },
  },
  effect: "tighter",
  isNew: false,
};
const MESSAGE = '.spec.brake in v1: "dog" can no longer be chosen; allowed are "cat"';
const HELP =
  "keep the old values of .spec.brake in enum and let the operator refuse or translate them, or change it in a new version only and leave v1 as it was";

function found(more: Partial<CrdFinding> = {}): CrdFinding {
  return {
    code: "CRD203",
    severity: "error",
    crd: "winches.example.com",
    version: "v1",
    path: ".spec.brake",
    detail: DIFFERENCE,
    place: PLACE,
    ...more,
  } as CrdFinding;
}

function definition(
  versions: readonly { name: string; served: boolean; storage: boolean }[],
): ReturnType<typeof definitionOf> {
  const spec = { group: "example.com", names: { kind: "Winch", plural: "winches" }, versions };
  return definitionOf({ metadata: { name: "winches.example.com" }, spec }, "v1", PLACE);
}

function check(findings: readonly CrdFinding[], more: Partial<CrdCheck> = {}): CrdCheck {
  return {
    definitions: [
      checkedDefinition(
        "winches.example.com",
        definition([
          { name: "v1alpha1", served: true, storage: false },
          { name: "v1", served: true, storage: true },
        ]),
        definition([
          { name: "v1", served: true, storage: false },
          { name: "v2", served: true, storage: true },
        ]),
        { owners: 2, objects: 3, stored: ["v1"] },
      ),
    ],
    notCompared: [],
    verdict: verdictOf(findings, "error", true),
    failOn: "error",
    listed: findings.map((finding) => ({ finding })),
    counts: countSeverities(findings),
    ...more,
  };
}

const text = (given: CrdCheck): string => crdText(given, makeStyle(false));

describe("text", () => {
  test("has what becomes of versions, and the verdict at its end", () => {
    expect(text(check([]))).toBe(`winches.example.com (Winch, 2 owners)
  v1        served, storage → served
  v2        new: served, storage
  v1alpha1  served → removed

looked at 1 CRD with 2 owners (--owners), 3 versions, 3 objects
safe
`);
  });

  test("has the number of owners with each definition if they differ", () => {
    const [first] = check([]).definitions as [CheckedDefinition];
    const other = { ...first, name: "cranes.example.com", owners: 1 };
    const printed = text(check([], { definitions: [first, other] }));
    expect(printed).toContain("winches.example.com (Winch, 2 owners)");
    expect(printed).toContain("cranes.example.com (Winch, 1 owner)");
    expect(printed).toContain("looked at 2 CRDs, 6 versions");
  });

  test("has a finding with its place, values, reason and help", () => {
    expect(
      text(check([found({ old: quotedValue(["dog"]), new: quotedValue([]), object: { namespace: "n", name: "o" } })])),
    ).toContain(
      `error[CRD203] enum-narrowed: ${MESSAGE}
  --> new.yaml:3:5 (v1 .spec.brake of n/o)
  = old: ["dog"]
  = new: []
  = why: objects that have another value can no longer be written
  = help: ${HELP}
`,
    );
  });

  test("explains once for each code why it matters", () => {
    const both = check([found(), found(), found({ code: "CRD104", detail: { from: "Namespaced", to: "Cluster" } })]);
    for (const shown of [text(both), crdMarkdown(both)]) expect(shown.match(/why: /g)).toHaveLength(2);
  });

  test("counts remarks of which there are many, and lists everything else", () => {
    const remark = found({ severity: "info" });
    const few = text(check(Array.from({ length: 10 }, () => remark)));
    expect(few.match(/^info\[CRD203\]/gm)).toHaveLength(10);
    const many = text(check([...Array.from({ length: 11 }, () => remark), found()]));
    expect(many.match(/^info\[CRD203\]/gm)).toHaveLength(1);
    expect(many).toContain(
      "info[CRD203] enum-narrowed: 11 times: values can no longer be chosen, or any value can (-o json lists them)",
    );
    expect(many).toContain("error[CRD203]");
    const warnings = text(check(Array.from({ length: 30 }, () => found({ severity: "warning" }))));
    expect(warnings.match(/^warning\[CRD203\]/gm)).toHaveLength(30);
  });

  test("names what could not be compared, and then never claims that all is safe", () => {
    const notCompared = [{ name: "b.example.com", reason: "it cannot be used" }];
    const partly = text(check([], { notCompared, verdict: "undecided" }));
    expect(partly).toContain("b.example.com: not compared: it cannot be used\n");
    expect(partly).toMatch(/^undecided: 1 definition not compared$/m);
  });

  test("has the number of findings that are not listed", () => {
    const given = check([found(), found(), found()]);
    expect(text({ ...given, listed: given.listed.slice(0, 2) })).toMatch(
      /^unsafe: 3 errors \(the first 2 are listed\)$/m,
    );
  });
});

describe("Markdown", () => {
  const HOSTILE = "a|b `c` <img src=x> @somebody **x** [l](http://x.y)\n# h \\ www.x.y \u001b[31m";

  test("takes nothing of the input for its own", () => {
    const shown = crdMarkdown(
      check([found({ path: HOSTILE, version: HOSTILE, old: quotedValue(HOSTILE), new: quotedValue(HOSTILE) })], {
        notCompared: [{ name: HOSTILE, reason: HOSTILE }],
      }),
    );
    const own = shown
      .replace(/<\/?(code|details|summary)>/g, "")
      .replace(/\\./g, "")
      .replaceAll("---", "")
      .split("\n");
    for (const line of own) {
      expect(line).not.toMatch(/[<`@[\]~]|https?:\/\/|www\.|\p{Cc}/u);
      if (!line.startsWith("|")) continue;
      expect([2, 3, 6]).toContain(line.split("|").length - 1);
    }
    expect(shown.split("\n").filter((line) => line.startsWith("# "))).toEqual([]);
  });

  test("lists a hundred findings, and counts the others", () => {
    const shown = crdMarkdown(check(Array.from({ length: 130 }, () => found())));
    expect(shown.match(/^\| error \|/gm)).toHaveLength(100);
    expect(shown).toContain("30 more findings are not listed here");
    expect(shown).toContain("## CRD check: unsafe: 130 errors");
    expect(shown.length).toBeLessThan(65_536);
  });
});

describe("values", () => {
  test("are cut where they are long, deep or many", () => {
    expect(valueText(quotedValue("x".repeat(50)), 10)).toBe('"xxxxxxxxx…');
    expect(valueJson(quotedValue({ b: 1, a: { __proto__: 2 } }))).toEqual({ b: 1, a: { __proto__: 2 } });
    expect(valueJson(quotedValue("x".repeat(5000)))).toBe(`"${"x".repeat(3999)}…`);
    expect(valueJson(quotedValue(Array.from({ length: 100_000 }, () => 1)))).toBe("[…]");
    let deep: Json = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = { a: deep };
    expect(valueText(quotedValue(deep), 100)).toBe("{…}");
    expect(valueJson(quotedValue(2n ** 60n))).toBe(2n ** 60n);
  });
});

describe("forms for programs", () => {
  const validate = new Ajv2020({ strict: true }).compile(
    JSON.parse(readFileSync("schemas/crd-report.schema.json", "utf8")) as object,
  );

  test("JSON has all that is listed, and keeps to its schema", () => {
    const given = check(
      [found({ old: quotedValue(["dog"]), user: "crane.v1.4.0", object: { name: "o" } }), found({ severity: "info" })],
      {
        notCompared: [{ name: "b", reason: "c" }],
      },
    );
    const report = crdReport({ ...given, listed: given.listed.slice(0, 1) });
    expect(report).toMatchObject({
      kind: "CrdReport",
      safe: false,
      notListed: 1,
      findings: [
        {
          code: "CRD203",
          rule: "enum-narrowed",
          at: "new.yaml:3:5",
          old: ["dog"],
          user: "crane.v1.4.0",
          object: { namespace: null },
        },
      ],
    });
    expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...(report as object), safe: "no" })).toBe(false);
    const [without] = (crdReport(check([found()])) as { findings: object[] }).findings;
    expect(without).not.toHaveProperty("user");
  });

  test("SARIF names each rule once, and its findings by it", () => {
    const sarif = crdSarif(
      check([found(), found({ code: "CRD102", version: "v1alpha1", path: "", detail: { compat: false } }), found()]),
      "1.2.3",
    );
    expect(sarif).toMatchObject({
      runs: [
        {
          tool: { driver: { rules: [{ id: "CRD102" }, { id: "CRD203", name: "enum-narrowed" }] } },
          results: [
            { ruleId: "CRD203", ruleIndex: 1, message: { text: `${MESSAGE}. ${HELP}` } },
            {
              ruleIndex: 0,
              locations: [{ logicalLocations: [{ fullyQualifiedName: "winches.example.com v1alpha1" }] }],
            },
            { ruleIndex: 1 },
          ],
        },
      ],
    });
  });

  test("SARIF takes any file name as a path", () => {
    const place = { ...PLACE, source: "a b#c?d.yaml" };
    expect(JSON.stringify(crdSarif(check([found({ place })]), "1"))).toContain('"uri":"a%20b%23c%3Fd.yaml"');
  });

  test("a workflow gets one line for each, with the help in it", () => {
    const help =
      "%0Ahelp: keep the old values of a\\u{a}b%25 in enum and let the operator refuse or translate them, or change it in a new version only and leave v1 as it was";
    expect(crdGithub(check([found({ path: "a\nb%" })]))).toBe(
      `::error file=new.yaml,line=3,col=5,title=CRD203 enum-narrowed::${MESSAGE.replace(".spec.brake", "a\\u{a}b%25")}${help}\n`,
    );
  });
});

describe("why it matters", () => {
  const OWN = "objects stay valid, but clients may meet values that they did not before";
  const detail: SchemaDetail = { ...DIFFERENCE, effect: "looser" };
  const checked = check([found(), found(), found({ detail }), found({ detail })] as CrdFinding[]);
  const general = "objects that have another value can no longer be written";
  const times = (text: string, part: string): number => text.split(part).length - 1;

  test.each([
    ["text", crdText(checked, makeStyle(false))],
    ["markdown", crdMarkdown(checked)],
  ])("is reported once in general and once in particular: %s", (_, text) => {
    expect(times(text, general)).toBe(1);
    expect(times(text, OWN)).toBe(1);
  });

  test("is with each finding for programs", () => {
    const { findings } = crdReport(checked) as { findings: { why: string }[] };
    expect(findings.map(({ why }) => why)).toEqual([general, general, OWN, OWN]);
    const sarif = JSON.stringify(crdSarif(checked, "1.0.0"));
    expect(times(sarif, OWN)).toBe(2);
    expect(times(sarif, general)).toBe(1);
  });

  test("a kind without a definition is reported in full as well", () => {
    const odd = check([found({ crd: "cranes.example.com", path: ".spec.jib" })]);
    expect(crdText(odd, makeStyle(false))).toContain("cranes.example.com (no definition)\n\nerror[CRD203]");
    expect(crdMarkdown(odd)).toContain(".spec.jib in v1");
  });
});
