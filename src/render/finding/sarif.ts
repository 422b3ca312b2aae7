// How are findings written as SARIF 2.1.0, for code scanning?

import type { Severity } from "../../model/finding.ts";
import { compareText, type Json } from "../../model/json.ts";
import type { Annotation, AnnotationRule } from "./annotation.ts";

const LEVEL: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/**
 * The report of one run. Paths stay as they were given, so that they are relative to the repository where the command
 * runs in it.
 */
export function sarifReport(
  annotations: readonly Annotation[],
  ruleOf: (code: string) => AnnotationRule,
  version: string,
): Json {
  const codes = [...new Set(annotations.map(({ code }) => code))].sort(compareText);
  const indices = new Map(codes.map((code, index) => [code, index]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "plimsoll", version, rules: codes.map((code) => rule(code, ruleOf(code))) } },
        columnKind: "unicodeCodePoints",
        results: annotations.map((annotation) => ({
          ruleId: annotation.code,
          ruleIndex: indices.get(annotation.code) as number,
          level: LEVEL[annotation.severity],
          message: {
            text: [annotation.message, ...(annotation.help === undefined ? [] : [annotation.help])].join(". "),
          },
          locations: [location(annotation)],
        })),
      },
    ],
  };
}

function rule(code: string, { name, severity, meaning, why }: AnnotationRule): Json {
  return {
    id: code,
    name,
    shortDescription: { text: meaning },
    ...(why !== undefined && { fullDescription: { text: why } }),
    defaultConfiguration: { level: LEVEL[severity] },
  };
}

function location({ source, line, column, subject }: Annotation): Json {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(source).replaceAll("#", "%23").replaceAll("?", "%3F") },
      region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
    },
    ...(subject !== undefined && { logicalLocations: [{ fullyQualifiedName: subject }] }),
  };
}
