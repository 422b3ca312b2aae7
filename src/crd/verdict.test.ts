// Which findings make a change unsafe, and what leaves it undecided?

import { expect, test } from "vitest";
import type { Severity } from "../model/finding.ts";
import type { CrdFinding } from "./finding.ts";
import type { CrdCode } from "./finding-codes.ts";
import { SEVERITIES, verdictOf } from "./verdict.ts";

function found(code: CrdCode, severity: Severity): CrdFinding {
  const place = { source: "crd.yaml", line: 1, column: 1 };
  return { code, severity, crd: "winches.example.com", version: "v1", path: "", detail: {}, place } as CrdFinding;
}

test("unsafe from the severity on that was chosen", () => {
  for (const failOn of SEVERITIES)
    for (const severity of SEVERITIES) {
      const isUnsafe = SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(failOn);
      expect(verdictOf([found("CRD203", severity)], failOn, true)).toBe(isUnsafe ? "unsafe" : "safe");
    }
  expect(verdictOf([], "info", true)).toBe("safe");
});

test("undecided if an object was not checked, for any severity", () => {
  for (const failOn of SEVERITIES)
    for (const severity of SEVERITIES) expect(verdictOf([found("CRD304", severity)], failOn, true)).toBe("undecided");
});

test("undecided where a definition could not be compared", () => {
  expect(verdictOf([], "error", false)).toBe("undecided");
});

test("an error and an invalid object stay unsafe, even if others were not checked", () => {
  const open = found("CRD304", "warning");
  expect(verdictOf([open, found("CRD102", "error")], "warning", false)).toBe("unsafe");
  expect(verdictOf([open, found("CRD301", "warning")], "warning", true)).toBe("unsafe");
  expect(verdictOf([open, found("CRD301", "warning")], "error", true)).toBe("undecided");
});

test("a warning about a schema is undecided while an object is not checked", () => {
  expect(verdictOf([found("CRD304", "warning"), found("CRD218", "warning")], "warning", true)).toBe("undecided");
  expect(verdictOf([found("CRD218", "warning")], "warning", false)).toBe("unsafe");
});
