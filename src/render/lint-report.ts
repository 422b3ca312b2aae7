// How do the findings of `lint` look for a program? As JSON of our own, as SARIF for code scanning, as annotations of a
// GitHub workflow.

import { type Code, RULES, type Severity } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import { ruleName, type ShownFinding, whereText } from "./finding-text.ts";
import { safeText } from "./safe-text.ts";

/** The report of `lint -o json`. */
export function lintReport(findings: readonly ShownFinding[]): Json {
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "LintReport",
    findings: findings.map((shown) => {
      const { code, severity, message, help, catalog, package: owner, channel, bundle } = shown.finding;
      return {
        code,
        rule: ruleName(shown.finding),
        severity,
        catalog: catalog ?? null,
        package: owner ?? null,
        channel: channel ?? null,
        bundle: bundle ?? null,
        message,
        help: help ?? null,
        at: whereText(shown),
      };
    }),
  };
}

const SARIF_LEVEL: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/** SARIF 2.1.0. Paths stay as they were given, so that they are relative to the repository where the command runs in it. */
export function lintSarif(findings: readonly ShownFinding[], version: string): Json {
  const codes = [...new Set(findings.map(({ finding }) => finding.code))].sort() as Code[];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "plimsoll",
            version,
            rules: codes.map((code) => ({
              id: code,
              name: RULES[code].name,
              shortDescription: { text: RULES[code].meaning },
              defaultConfiguration: { level: SARIF_LEVEL[RULES[code].severity] },
            })),
          },
        },
        columnKind: "unicodeCodePoints",
        results: findings.map(({ finding, spot }) => ({
          ruleId: finding.code,
          ruleIndex: codes.indexOf(finding.code),
          level: SARIF_LEVEL[finding.severity],
          message: { text: finding.help === undefined ? finding.message : `${finding.message}. ${finding.help}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(finding.place.source) },
                region: {
                  startLine: Math.max(1, spot?.line ?? finding.place.line),
                  startColumn: Math.max(1, spot?.column ?? finding.place.column),
                },
              },
            },
          ],
        })),
      },
    ],
  };
}

const GITHUB_LEVEL: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** Workflow commands that GitHub turns into annotations of a pull request. */
export function lintGithub(findings: readonly ShownFinding[]): string {
  return findings
    .map(({ finding, spot }) => {
      const line = Math.max(1, spot?.line ?? finding.place.line);
      const column = Math.max(1, spot?.column ?? finding.place.column);
      const file = escapeProperty(finding.place.source);
      const title = escapeProperty(`${finding.code} ${ruleName(finding)}`);
      return `::${GITHUB_LEVEL[finding.severity]} file=${file},line=${line},col=${column},title=${title}::${escapeMessage(safeText(finding.message))}\n`;
    })
    .join("");
}

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
