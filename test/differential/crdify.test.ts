// Does an upgrade fail where OLM v1's check of CustomResourceDefinitions fails, and only there?
//
// The table was made by crdify v0.6.0 as operator-controller configures it (make-crdify.mjs). crdify reports a removed field
// more than once, and everything about a map or a composition at the node that holds it; both are folded together here.
import { expect, test } from "vitest";
import { checkUpgrade } from "../../src/crd/check-upgrade.ts";
import type { CrdCode } from "../../src/crd/finding-codes.ts";
import { NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import { definitionOf } from "../../src/model/definition-of.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { wholeSource } from "../../src/model/place.ts";
import { readTable, type Table } from "./table.ts";

interface Row {
  readonly name: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly passes: boolean;
  readonly faults?: readonly Fault[];
}

interface Fault {
  readonly validation: string;
  readonly version?: string;
  readonly property?: string;
  readonly message: string;
}

/** Which of our codes mean the same as a validation of crdify. */
const CODES: Readonly<Record<string, readonly CrdCode[]>> = {
  scope: ["CRD104"],
  storedVersionRemoval: ["CRD101"],
  existingFieldRemoval: ["CRD209"],
  type: ["CRD201", "CRD217"],
  required: ["CRD202"],
  default: ["CRD207"],
  enum: ["CRD203"],
  pattern: ["CRD206"],
  nullable: ["CRD208"],
  ...Object.fromEntries(["minimum", "minLength", "minItems", "minProperties"].map((name) => [name, ["CRD204"]])),
  ...Object.fromEntries(["maximum", "maxLength", "maxItems", "maxProperties"].map((name) => [name, ["CRD205"]])),
  composition: ["CRD210"],
  additionalProperties: ["CRD211"],
  unhandled: [
    ...(["CRD204", "CRD205", "CRD210", "CRD211", "CRD212", "CRD213", "CRD214", "CRD215", "CRD216", "CRD217"] as const),
    ...(["CRD218", "CRD219", "CRD220", "CRD299"] as const),
  ],
};

const DOCUMENTATION = "documentation does not restrict objects; crdify ignores descriptions only";
const MAP_VALUES = "crdify has no check for a node whose map values changed, however much looser they became";
const SAME_MEANING = "the schema means the same as before";

/** Where we differ on purpose: OLM fails, and we see no reason to. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["title", "example", "externalDocs"].flatMap((key) =>
      ["added", "changed", "removed"].map((change) => [`${key}: ${key} ${change}`, DOCUMENTATION]),
    ),
  ),
  "N14: description of a branch": DOCUMENTATION,
  "unhandled: message of a rule": DOCUMENTATION,
  "unhandled: a bound of map values raised": MAP_VALUES,
  "unhandled: a field of map values added": MAP_VALUES,
  "default: default in another order of keys": SAME_MEANING,
  "unhandled: int-or-string, keeps its type": SAME_MEANING,
  "N13: oneOf, other order": `${SAME_MEANING}, and later versions of crdify pass it`,
  "N13: anyOf, other order": SAME_MEANING,
  "N13: allOf, other order": SAME_MEANING,
};

/** A change that is reported for a version and a field. */
interface ReportedChange {
  readonly version: string;
  readonly path: string;
  readonly validation: string;
}

const COMPOSITION = /^(.*?)\.(?:oneOf|anyOf|allOf|not)\b.*$/;

/** The changes that crdify reports, each once. */
function withoutRepetition(reported: readonly ReportedChange[]): readonly ReportedChange[] {
  const kept = reported.filter((one) => !reported.some((other) => other.version === one.version && covers(other, one)));
  return [...new Map(kept.map((one) => [JSON.stringify(one), one])).values()];
}

/** A field that is removed, or of another type, is reported once; so is a node that differs in what it holds. */
function covers(other: ReportedChange, one: ReportedChange): boolean {
  const isBelow = one.path.startsWith(`${other.path}.`) || one.path.startsWith(`${other.path}[`);
  const rank = RANKS.indexOf(other.validation);
  const isAtOnce = one.path === other.path && rank >= 0;
  if (isAtOnce && (RANKS.indexOf(one.validation) > rank || !RANKS.includes(one.validation))) return true;
  if (isBelow && ["existingFieldRemoval", "type", "additionalProperties"].includes(other.validation)) return true;
  const holds = other.path.startsWith(`${one.path}[*]`) || (other.path === one.path && HOLDERS.has(other.validation));
  return one.validation === "unhandled" && holds;
}

/** Beside the first of these at a field, nothing else is reported for it. */
const RANKS: readonly string[] = ["existingFieldRemoval", "type"];

const HOLDERS: ReadonlySet<string> = new Set(["composition", "additionalProperties"]);

function reportedChanges({ validation, version = "", property = "", message }: Fault): readonly ReportedChange[] {
  if (validation === "existingFieldRemoval") {
    const [, name, path] = /: ([^.]+)\.(\^.*)$/.exec(message) as unknown as [string, string, string];
    return [{ version: name, path, validation }];
  }
  if (validation === "storedVersionRemoval")
    return namesIn(message).map((name) => ({ version: name, path: "", validation }));
  if (validation === "type" && version.includes(" -> ") && message.endsWith('-> ""'))
    return [{ version, path: property, validation: "existingFieldRemoval" }];
  if (validation === "required")
    return namesIn(message).map((name) => ({ version, path: `${property}.${name}`, validation }));
  return [{ version, path: property, validation }];
}

function namesIn(message: string): readonly string[] {
  return (/\[(.*)\]$/.exec(message) as RegExpExecArray)[1]?.split(" ") ?? [];
}

/** At our field: branches at the node that has them, and other keys at the map. */
function folded({ version, path, validation }: ReportedChange): ReportedChange {
  const branch = COMPOSITION.exec(path);
  if (branch !== null) return { version, path: ourPath(branch[1] as string), validation: "composition" };
  if (validation === "existingFieldRemoval" && path.endsWith(".additionalProperties"))
    return {
      version,
      path: ourPath(path.slice(0, -".additionalProperties".length)),
      validation: "additionalProperties",
    };
  return { version, path: ourPath(path), validation };
}

/** No field of the table is called items or additionalProperties. */
function ourPath(path: string): string {
  const plain = path.replace(/^\^/, "").replaceAll(/\.(items|additionalProperties)\b/g, "[*]");
  return path === "^" ? "." : plain;
}

const table = readTable<Table<Row>>("crdify.json");

function ourErrors(row: Row): readonly { version: string; path: string; code: CrdCode }[] {
  const [before, after] = [row.old, row.new].map((object) => definitionOf(object, "v1", wholeSource("a.yaml")));
  return checkUpgrade(before, after, { ...NOTHING_KNOWN, compat: true })
    .filter(({ severity }) => severity === "error")
    .map(({ version, path, code }) => ({ version, path, code }));
}

function disagreements(row: Row): readonly unknown[] {
  const theirs = (row.faults ?? []).flatMap(reportedChanges).map(folded);
  const ours = ourErrors(row);
  const agree = (one: ReportedChange, own: { version: string; path: string; code: CrdCode }): boolean =>
    one.version === own.version &&
    one.path === own.path &&
    (CODES[one.validation] as readonly CrdCode[]).includes(own.code);
  return [
    ...withoutRepetition(theirs)
      .filter((one) => !ours.some((own) => agree(one, own)))
      .map((missing) => ({ missing })),
    ...ours.filter((own) => !theirs.some((one) => agree(one, own))).map((surplus) => ({ surplus })),
  ];
}

test.for(table.rows.map((row) => [row.name, row] as const))("%s", ([name, row]) => {
  const found = disagreements(row);
  if (EXCEPTIONS[name] === undefined) expect(found).toEqual([]);
  else expect(found, `no longer a difference: ${EXCEPTIONS[name]}`).not.toEqual([]);
});

test("an upgrade has an error exactly where crdify fails", () => {
  const wrong = table.rows.filter((row) => (ourErrors(row).length === 0) !== row.passes).map(({ name }) => name);
  expect(wrong.filter((name) => EXCEPTIONS[name] === undefined)).toEqual([]);
});
