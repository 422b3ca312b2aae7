// How does the answer of `crd check` look for a program? As JSON of our own, as SARIF, as annotations of a workflow.

import { CRD_RULES, type CrdCode, type RuleKind, ruleOf } from "../../crd/rule.ts";
import type { Severity } from "../../model/finding.ts";
import type { Json } from "../../model/json.ts";
import type { Annotation, AnnotationRule } from "../finding/annotation.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import { githubCommands } from "../finding/github.ts";
import { sarifReport } from "../finding/sarif.ts";
import {
  boundedValue,
  type ComparedDefinition,
  type CrdCheck,
  placeOf,
  type ShownCrdFinding,
  type VersionChange,
  versionChanges,
  whyOf,
} from "./shown.ts";

/** The longest old or new value that is given as it is. */
const MAX_VALUE_LENGTH = 4000;

/** The report of `crd check -o json`. */
export function crdReport({ verdict, failOn, definitions, notCompared, listed, all, inputFindings }: CrdCheck): Json {
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CrdReport",
    safe: verdict === "safe",
    undecided: verdict === "undecided",
    failOn,
    definitions: definitions.map(definitionJson),
    notCompared: notCompared.map(({ name, reason }) => ({ name, reason })),
    findings: listed.map(findingJson),
    notListed: all.length - listed.length,
    ...inputFindingsReport(inputFindings),
  };
}

function definitionJson(definition: ComparedDefinition): Json {
  const { name, before, after, owners, objects, stored } = definition;
  const { group, kind, scope } = after ?? before ?? { group: "", kind: "", scope: "" };
  return {
    name,
    group,
    kind,
    scope,
    owners,
    objects: objects ?? null,
    stored: stored ?? null,
    change: before === undefined ? "added" : after === undefined ? "removed" : "kept",
    versions: versionChanges(definition).map(versionJson),
  };
}

function versionJson({ name, before, after }: VersionChange): Json {
  const state = (version: VersionChange["before"]): Json =>
    version === undefined ? null : { served: version.served, storage: version.storage };
  return { name, old: state(before), new: state(after) };
}

function findingJson(shown: ShownCrdFinding): Json {
  const { code, severity, crd, version, path, message, help, old, new: now, user, object } = shown.finding;
  return {
    code,
    rule: ruleOf(code).name,
    severity,
    crd,
    version,
    path,
    message,
    why: whyOf(shown.finding),
    help,
    ...(old !== undefined && { old: boundedValue(old, MAX_VALUE_LENGTH) }),
    ...(now !== undefined && { new: boundedValue(now, MAX_VALUE_LENGTH) }),
    ...(user !== undefined && { user }),
    object: object === undefined ? null : { namespace: object.namespace ?? null, name: object.name },
    at: placeOf(shown),
  };
}

/** The answer as SARIF. */
export function crdSarif({ listed }: CrdCheck, version: string): Json {
  return sarifReport(listed.map(annotationOf), annotationRule, version);
}

/** The answer as commands of a GitHub workflow. */
export function crdGithub({ listed }: CrdCheck): string {
  return githubCommands(listed.map(annotationOf), annotationRule);
}

function annotationOf({ finding, spot }: ShownCrdFinding): Annotation {
  const { code, severity, crd, version, path, message, why, place } = finding;
  // The rule says why it matters in general; a finding says it where that is something else.
  const help = why === undefined ? finding.help : `${why}; ${finding.help}`;
  const { line, column } = spot ?? place;
  const subject = `${crd}${version === "" ? "" : ` ${version}`}${path === "" ? "" : ` ${path}`}`;
  return { code, severity, message, help, source: place.source, line, column, subject };
}

/** How serious findings of a kind are as a rule; each finding says its own severity. */
const USUAL: Readonly<Record<RuleKind, Severity>> = {
  never: "error",
  doubtful: "warning",
  remark: "info",
  schema: "warning",
  unknown: "warning",
  object: "warning",
};

function annotationRule(code: string): AnnotationRule {
  const { name, kind, meaning, why } = CRD_RULES[code as CrdCode];
  return { name, severity: USUAL[kind], meaning, why };
}
