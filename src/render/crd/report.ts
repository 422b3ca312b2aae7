// How is the answer of `crd check` reported to programs? As JSON, as SARIF, or as annotations of a GitHub workflow.

import { CRD_RULES, type CrdCode, type RuleKind, ruleOf } from "../../crd/finding-codes.ts";
import type { CheckedDefinition, VersionChange } from "../../crd/report.ts";
import type { Severity } from "../../model/finding.ts";
import type { Json } from "../../model/json.ts";
import type { Annotation, AnnotationRule } from "../finding/annotation.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import { whereText } from "../finding/finding-text.ts";
import { githubCommands } from "../finding/github.ts";
import { sarifReport } from "../finding/sarif.ts";
import { crdHelp, crdMessage, crdParticularWhy, crdWhy } from "../sentence/crd.ts";
import { userText } from "../sentence/crd-words.ts";
import { type CrdCheck, notListed, type ShownCrdFinding, valueJson } from "./shown.ts";

export function crdReport(check: CrdCheck): Json {
  const { verdict, failOn, definitions, notCompared, listed, inputFindings } = check;
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CrdReport",
    safe: verdict === "safe",
    undecided: verdict === "undecided",
    failOn,
    definitions: definitions.map(definitionJson),
    notCompared: notCompared.map(({ name, reason }) => ({ name, reason })),
    findings: listed.map(findingJson),
    notListed: notListed(check),
    ...inputFindingsReport(inputFindings),
  };
}

function definitionJson(definition: CheckedDefinition): Json {
  const { name, group, kind, scope, change, versions, owners, objects, stored } = definition;
  return {
    name,
    group,
    kind,
    scope,
    owners,
    objects: objects ?? null,
    stored: stored ?? null,
    change,
    versions: versions.map(versionJson),
  };
}

function versionJson({ name, before, after }: VersionChange): Json {
  const state = (version: VersionChange["before"]): Json =>
    version === undefined ? null : { served: version.served, storage: version.storage };
  return { name, old: state(before), new: state(after) };
}

function findingJson(shown: ShownCrdFinding): Json {
  const { finding } = shown;
  const { code, severity, crd, version, path, old, new: now, user, object } = finding;
  return {
    code,
    rule: ruleOf(code).name,
    severity,
    crd,
    version,
    path,
    message: crdMessage(finding),
    why: crdWhy(finding),
    help: crdHelp(finding),
    ...(old !== undefined && { old: valueJson(old) }),
    ...(now !== undefined && { new: valueJson(now) }),
    ...(user !== undefined && { user: userText(finding) }),
    object: object === undefined ? null : { namespace: object.namespace ?? null, name: object.name },
    at: whereText(shown),
  };
}

export function crdSarif({ listed }: CrdCheck, version: string): Json {
  return sarifReport(listed.map(annotationOf), annotationRule, version);
}

export function crdGithub({ listed }: CrdCheck): string {
  return githubCommands(listed.map(annotationOf), annotationRule);
}

function annotationOf({ finding, spot }: ShownCrdFinding): Annotation {
  const { code, severity, crd, version, path, place } = finding;
  // The rule has the general reason why it matters; a finding has its own reason only if that differs.
  const why = crdParticularWhy(finding);
  const help = why === undefined ? crdHelp(finding) : `${why}; ${crdHelp(finding)}`;
  const { line, column } = spot ?? place;
  const subject = `${crd}${version === "" ? "" : ` ${version}`}${path === "" ? "" : ` ${path}`}`;
  return { code, severity, message: crdMessage(finding), help, source: place.source, line, column, subject };
}

/** The default severity of findings of a kind; each finding has its own severity. */
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
