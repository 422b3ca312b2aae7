// How are the findings of `lint` reported to programs? As JSON, as SARIF for code scanning, or as annotations of a GitHub
// workflow.

import { type Code, RULES } from "../../model/finding.ts";
import type { Json } from "../../model/json.ts";
import type { Annotation, AnnotationRule } from "./annotation.ts";
import { findingReport } from "./finding-report.ts";
import type { ShownFinding } from "./finding-text.ts";
import { githubCommands } from "./github.ts";
import { sarifReport } from "./sarif.ts";

export function lintReport(findings: readonly ShownFinding[]): Json {
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "LintReport",
    findings: findings.map(findingReport),
  };
}

export function lintSarif(findings: readonly ShownFinding[], version: string): Json {
  return sarifReport(findings.map(annotationOf), lintRule, version);
}

export function lintGithub(findings: readonly ShownFinding[]): string {
  return githubCommands(findings.map(annotationOf), lintRule);
}

function annotationOf({ finding, spot }: ShownFinding): Annotation {
  const { code, severity, message, help, place } = finding;
  const { line, column } = spot ?? place;
  return { code, severity, message, help, source: place.source, line, column };
}

function lintRule(code: string): AnnotationRule {
  return RULES[code as Code];
}
