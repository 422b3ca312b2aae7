// What became of every test of every corpus?
import type { Case } from "./case.ts";
import { checkingCases } from "./checking.ts";
import { comprehensionCases } from "./comprehension.ts";
import { deducedTypeCases, officialCases } from "./official.ts";
import { parsingCases } from "./parsing.ts";
import { run } from "./run.ts";
import type { Waivers } from "./waivers.ts";

/** A test and what became of it. A waived test that passes has failed: its waiver must go. */
export interface Outcome {
  readonly test: Case;
  readonly kind: "passed" | "failed" | "waived";
  /** What was got instead of what was expected, for a test that failed. */
  readonly got: string;
}

/** All tests of all corpora, the official ones first. */
export function everyCase(): readonly Case[] {
  return [...officialCases(), ...deducedTypeCases(), ...checkingCases(), ...parsingCases(), ...comprehensionCases()];
}

/** Runs the test and compares what came of it with its waiver, if it has one. */
export function outcomeOf(test: Case, waivers: Waivers): Outcome {
  const { passed, got } = run(test);
  const waived = waivers[test.key] !== undefined;
  if (passed)
    return waived ? { test, kind: "failed", got: "waived, but it passes" } : { test, kind: "passed", got: "" };
  return { test, kind: waived ? "waived" : "failed", got };
}
