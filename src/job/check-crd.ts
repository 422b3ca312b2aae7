// Is it safe to replace these CustomResourceDefinitions by those? `checkCrd` of the library.

import {
  checkDefinitions,
  findingsToList,
  type GivenObjects,
  kindsOf,
  type OptionWithoutEffect,
  optionsWithoutEffect,
} from "../crd/check-definitions.ts";
import type { CrdFinding } from "../crd/finding.ts";
import type { CrdCode } from "../crd/finding-codes.ts";
import { type DefinitionPair, type DefinitionSide, definitionSide, pairDefinitions } from "../crd/pair-definitions.ts";
import type { CheckedDefinition, UncomparedDefinition } from "../crd/report.ts";
import { type ApiUser, NOTHING_KNOWN } from "../crd/upgrade/circumstances.ts";
import type { CrdVerdict } from "../crd/verdict.ts";
import type { SourcePosition } from "../input/locate.ts";
import { InstanceReader } from "../input/objects/instance-reader.ts";
import { kindKey } from "../model/catalog.ts";
import { type Finding, FindingList, type Severity } from "../model/finding.ts";
import { groupedBy } from "../model/grouped.ts";
import { unpairedText } from "../render/crd/text.ts";
import { crdHelp, crdMessage } from "../render/sentence/crd.ts";
import type { InputFinding } from "./exact-places.ts";
import { checkSeverities, locating, serious } from "./question.ts";
import { givenTexts, isRead, type ObjectsInput, readObjects, readText, textsBehind } from "./text-input.ts";
import { TextSources } from "./text-sources.ts";
import { checkChoice, checkKeys, checkPositive, listOf, UsageError } from "./usage-error.ts";

/** A question about a change of CustomResourceDefinitions. */
export interface CrdQuestion {
  /** The definitions as they are. */
  readonly old: ObjectsInput;
  /** The definitions as they will be. */
  readonly new: ObjectsInput;
  /** Existing objects of the kinds: each is checked against the new definition. An empty list: there are none. */
  readonly objects?: ObjectsInput | undefined;
  /** How many operators own the definition; with 2 or more, changes that can break objects are errors. */
  readonly owners?: number | undefined;
  /** Versions in which objects are stored, instead of `status.storedVersions`. */
  readonly stored?: readonly string[] | undefined;
  /** APIs that are still in use; `by` is what messages call the user. */
  readonly requires?: readonly ApiUser[] | undefined;
  /** From which severity on the change is unsafe; `warning` by default. */
  readonly failOn?: Severity | undefined;
  /** Behave like OLM. */
  readonly compat?: "olm" | undefined;
  /** Other severities of findings, by code. */
  readonly severities?: Readonly<Partial<Record<CrdCode, Severity | "off">>> | undefined;
  /** Cost limit for the CEL rules of one object. */
  readonly celCostLimit?: number | undefined;
}

/** A finding about the change, with its sentences. */
export type CrdProblem = CrdFinding & {
  /** What changes, in one sentence. */
  readonly message: string;
  /** What to do. */
  readonly help: string;
  /** The line that it is on, if its text is known. */
  readonly position?: SourcePosition | undefined;
};

/** The answer of `checkCrd`: plain data, the same after JSON. */
export interface CrdAnswer {
  readonly kind: "crd check";
  readonly verdict: CrdVerdict;
  readonly failOn: Severity;
  readonly definitions: readonly CheckedDefinition[];
  readonly notCompared: readonly UncomparedDefinition[];
  /** What was found about the change; by definition, errors first. At most 10,000. */
  readonly problems: readonly CrdProblem[];
  /** How many there are of each severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Parts of the question that are about nothing that is compared: objects of other kinds, unknown APIs and versions. */
  readonly withoutEffect: readonly OptionWithoutEffect[];
  /** What is wrong with the input. */
  readonly findings: readonly InputFinding[];
}

const KEYS: readonly (keyof CrdQuestion)[] = [
  "old",
  "new",
  "objects",
  "owners",
  "stored",
  "requires",
  "failOn",
  "compat",
  "severities",
  "celCostLimit",
];

/**
 * Checks whether definitions can be replaced without losing data or breaking objects and users.
 *
 * Throws a `UsageError` if there are no definitions that can be compared.
 */
export function checkCrd(question: CrdQuestion): CrdAnswer {
  checkKeys("checkCrd", question, KEYS);
  const { severities = {}, failOn = "warning" } = question;
  checkSeverities("severities", severities);
  checkPositive("owners", question.owners);
  checkPositive("celCostLimit", question.celCostLimit);
  const old = sideOf("old", question.old);
  const now = sideOf("new", question.new);
  checkChoice("failOn", failOn, ["error", "warning", "info"]);
  checkChoice("compat", question.compat, ["olm"]);
  const paired = pairDefinitions(old.side, now.side);
  if (paired.kind !== "paired") throw new UsageError(unpairedText(paired), serious([...old.findings, ...now.findings]));
  const instances = instancesOf(question.objects, paired.pairs);
  const stored = listOf("stored", question.stored);
  const requires = listOf("requires", question.requires);
  const { findings: all, ...check } = checkDefinitions(paired, {
    now: now.side,
    // Objects of other kinds say nothing about those of the compared ones.
    objects: instances?.isForeign ? undefined : instances?.given,
    owners: question.owners ?? NOTHING_KNOWN.owners,
    stored,
    requires,
    failOn,
    compat: question.compat === "olm",
    severities: new Map(Object.entries(severities)) as ReadonlyMap<CrdCode, Severity | "off">,
    celCostLimit: question.celCostLimit ?? NOTHING_KNOWN.celCostLimit,
  });
  const sources = new TextSources().addAll([old.sources, now.sources, ...(instances ? [instances.sources] : [])]);
  const { findings, located } = locating(sources, [...old.findings, ...now.findings, ...(instances?.findings ?? [])]);
  const listed = findingsToList(all, paired.pairs, undefined);
  const positions = sources.locate(listed.map(({ place }) => place));
  const problems = listed.map((finding): CrdProblem => {
    const position = positions.get(finding.place);
    return { ...finding, message: crdMessage(finding), help: crdHelp(finding), ...(position && { position }) };
  });
  const withoutEffect = optionsWithoutEffect(paired.pairs, { objects: instances?.given, stored, requires });
  return located({ kind: "crd check", ...check, problems, withoutEffect, findings });
}

/** One side of the comparison. */
interface ReadSide {
  readonly side: DefinitionSide;
  readonly findings: readonly Finding[];
  readonly sources: TextSources;
}

function sideOf(what: "old" | "new", given: ObjectsInput): ReadSide {
  if (given === undefined) throw new UsageError(`checkCrd needs ${what}, text with CustomResourceDefinitions`);
  const read = readObjects(given, { what });
  const side = definitionSide({ path: what, kind: "files", source: what }, read.objects, read.findings);
  return { side, findings: read.findings, sources: textsBehind(read) };
}

/** The objects of the compared kinds. */
interface ReadInstances extends Pick<ReadSide, "findings" | "sources"> {
  readonly given: GivenObjects;
  /** There are objects, and none is of a compared kind. */
  readonly isForeign: boolean;
}

function instancesOf(given: ObjectsInput | undefined, pairs: readonly DefinitionPair[]): ReadInstances | undefined {
  if (given === undefined) return undefined;
  const { kept, report } = new FindingList();
  const wanted = new Set(kindsOf(pairs).keys());
  const isDamaged = (findings: readonly Finding[]): boolean => findings.some(({ dropped }) => dropped !== undefined);
  if (isRead(given)) {
    const { customResources } = given.objects;
    const byKind = groupedBy(customResources, kindKey);
    const found = new Map([...wanted].map((key) => [key, byKind.get(key) ?? []]));
    const isForeign = customResources.length > 0 && isWithoutObjects(found);
    const { findings } = given;
    return {
      given: { byKind: found, isDamaged: isDamaged(findings) },
      isForeign,
      findings,
      sources: textsBehind(given),
    };
  }
  const reader = new InstanceReader(wanted, report);
  const { texts, sources } = givenTexts(given, "objects");
  let documents = 0;
  for (const text of texts)
    readText(text, report, (value, place) => {
      documents++;
      reader.add(value, place, undefined);
    });
  const byKind = reader.finish();
  const isForeign = documents > 0 && isWithoutObjects(byKind);
  return { given: { byKind, isDamaged: isDamaged(kept) }, isForeign, findings: kept, sources };
}

function isWithoutObjects(byKind: ReadonlyMap<string, readonly unknown[]>): boolean {
  return [...byKind.values()].every((objects) => objects.length === 0);
}
