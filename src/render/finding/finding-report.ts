// How is a finding about the input reported to programs? In the same format in `lint -o json` and in the `inputFindings` of
// every other report.

import { RULES } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { type ShownFinding, whereText } from "./finding-text.ts";

export function findingReport(shown: ShownFinding): JsonObject {
  const { code, severity, message, help, catalog, package: owner, channel, bundle } = shown.finding;
  return {
    code,
    rule: RULES[code].name,
    severity,
    catalog: catalog ?? null,
    package: owner ?? null,
    channel: channel ?? null,
    bundle: bundle ?? null,
    message,
    help: help ?? null,
    at: whereText(shown),
  };
}

/** The part of a report about invalid input, which shows what the answer does not cover. */
export function inputFindingsReport(findings: readonly ShownFinding[] = []): JsonObject {
  return { inputFindings: findings.map(findingReport) };
}
