// Is it safe to replace one CustomResourceDefinition by another, on this cluster?

import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import type { Severity } from "../model/finding.ts";
import { canonicalText, compareText, isList, isObject, type Json, printJson } from "../model/json.ts";
import { comparePlaces } from "../model/place.ts";
import { shortened } from "../text/words.ts";
import type { CrdFinding, QuotedValue } from "./finding.ts";
import { type CrdCode, ruleOf } from "./finding-codes.ts";
import { severityOf } from "./severity.ts";
import type { Circumstances } from "./upgrade/circumstances.ts";
import { definitionChange, hasWebhook } from "./upgrade/definition-change.ts";
import { observeDefinitionChanges } from "./upgrade/definition-changes.ts";
import { type ObjectsKnown, observeObjects } from "./upgrade/existing-objects.ts";
import type { Observation } from "./upgrade/observation.ts";
import { observeOtherDifferences } from "./upgrade/other-differences.ts";
import { observeOwnMistakes } from "./upgrade/own-mistakes.ts";
import { observeSchemaChanges } from "./upgrade/schema-changes.ts";
import { observeSchemaMistakes } from "./upgrade/schema-mistakes.ts";
import { observeStorageFields } from "./upgrade/storage-fields.ts";
import { observeUnconverted } from "./upgrade/unconverted.ts";
import { observeDemands, observeRemoval, observeVersionChanges } from "./upgrade/version-changes.ts";

/** The longest path of a finding: names of fields come from the input. */
const MAX_PATH_LENGTH = 2000;
/** No more differences of schemas are reported about one definition; one more says how many there were. */
export const MAX_DIFFERENCES = 10_000;

/** Findings about the change. Without `before` the definition is new; without `after` the new bundle does not have it. */
export function checkUpgrade(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
  circumstances: Circumstances,
): readonly CrdFinding[] {
  const seen: Observation[] = [];
  let known: ObjectsKnown = () => "unknown";
  const observe = (observation: Observation): void => {
    seen.push(observation);
  };
  const change = before && after && definitionChange(before, after);
  if (after !== undefined) {
    observeOwnMistakes(after, before, circumstances.owned ?? [], observe);
    observeSchemaMistakes(after, change?.kept ?? [], observe);
  } else if (before !== undefined) observeRemoval(before, circumstances, observe);
  observeDemands(before, after, circumstances, observe);
  if (change !== undefined) {
    observeVersionChanges(change, circumstances, observe);
    observeDefinitionChanges(change, circumstances.objects !== undefined, observe);
    observeUnconverted(change, circumstances, observe);
    observeOtherDifferences(change, observe);
    observeSchemaChanges(change, circumstances.compat, observe);
    observeStorageFields(change, observe);
    known = observeObjects(change, circumstances, observe);
  }
  const severity = ({
    code,
    version,
    shownBy = version,
    effect = "tighter",
    unseenByOlm,
  }: Observation): Severity | "off" =>
    severityOf(
      code,
      {
        severalOwners: circumstances.owners > 1,
        compat: circumstances.compat,
        objects: asksForObjects(code) ? known(shownBy) : "unknown",
        effect,
        unseenByOlm,
        webhook: after !== undefined && hasWebhook(after),
      },
      circumstances.severities,
    );
  return findings(seen, severity, before, after);
}

/** Only differences of schemas depend on what is known of the objects; finding that out may take a while. */
function asksForObjects(code: CrdCode): boolean {
  const { kind } = ruleOf(code);
  return kind === "schema" || kind === "unknown";
}

/** In the order of versions as the definitions have them, what is about none of them first; then by field and code. */
function findings(
  seen: readonly Observation[],
  severityOfOne: (observation: Observation) => Severity | "off",
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
): readonly CrdFinding[] {
  const crd = after?.name ?? before?.name ?? "";
  const order = new Map<string, number>([["", 0]]);
  for (const { name } of [...(after?.versions ?? []), ...(before?.versions ?? [])])
    if (!order.has(name)) order.set(name, order.size);
  const position = ({ version, shownBy }: Observation): number => order.get(shownBy || version) ?? order.size;
  const sorted = seen.toSorted(
    (a, b) =>
      position(a) - position(b) ||
      compareText(a.version, b.version) ||
      compareText(a.path, b.path) ||
      compareText(a.code, b.code) ||
      comparePlaces(a.place, b.place) ||
      compareText(textOf(a), textOf(b)),
  );
  const all = sorted.flatMap((observation) => {
    const severity = severityOfOne(observation);
    if (severity === "off") return [];
    const { effect: _, shownBy: __, unseenByOlm: ___, old, new: now, path, ...rest } = observation;
    return [
      {
        ...rest,
        path: shortened(path, MAX_PATH_LENGTH),
        severity,
        crd,
        ...(old !== undefined && { old: quotedValue(old) }),
        ...(now !== undefined && { new: quotedValue(now) }),
      } as CrdFinding,
    ];
  });
  return withoutTooMany(all);
}

function textOf({ detail, user = "", userIn = "" }: Observation): string {
  return `${user} ${userIn} ${canonicalText(detail as unknown as Json)}`;
}

/** Of too many differences the most serious ones are kept; the first of the others says how many more there are. */
function withoutTooMany(all: readonly CrdFinding[]): readonly CrdFinding[] {
  const differences = all.filter(isDifference);
  const left = differences.length - MAX_DIFFERENCES;
  if (left <= 0) return all;
  const order: readonly Severity[] = ["error", "warning", "info"];
  differences.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const first = differences[MAX_DIFFERENCES] as CrdFinding;
  const leftOut = new Set(differences.slice(MAX_DIFFERENCES + 1));
  return all.flatMap((finding) => {
    if (leftOut.has(finding)) return [];
    return finding === first ? [{ ...finding, more: left }] : [finding];
  });
}

function isDifference({ code }: CrdFinding): boolean {
  return code.startsWith("CRD2");
}

/** The longest value that is carried as a whole. */
const MAX_LENGTH = 4000;
/** How many parts of a value are looked at to print it: a schema that was removed may be of any size. */
const MAX_PARTS = 1000;

/** A value, or where it is too large to be shown, the beginning of its compact text. */
export function quotedValue(value: Json): QuotedValue {
  if (typeof value === "object" && !isSmall(value)) return { cut: isList(value) ? "[…]" : "{…}" };
  const json = printJson(value);
  if (json.length <= MAX_LENGTH) return { json };
  const text = canonicalText(value);
  return text.length <= MAX_LENGTH ? { json } : { cut: shortened(text, MAX_LENGTH + 1) };
}

function isSmall(value: Json): boolean {
  const open: Json[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop() as Json;
    if (++seen > MAX_PARTS) return false;
    const parts = isList(next) ? next : isObject(next) ? Object.values(next) : [];
    if (parts.length > MAX_PARTS) return false;
    open.push(...parts);
  }
  return true;
}
