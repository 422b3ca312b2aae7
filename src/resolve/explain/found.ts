// What was found, and what of it concerns a package? An answer with everything that it was found with, so that one can ask
// about it.

import type { Problem } from "../../model/problem.ts";
import { compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { pendingApprovals } from "../approval.ts";
import { automaticProblem } from "../automatic-problem.ts";
import { Encoding } from "../encoding.ts";
import { packageOf, type Self, versionOf } from "../member.ts";
import { report } from "../report.ts";
import type { Resolution } from "../resolution.ts";
import { type Solution, solve } from "../solution.ts";
import { universeOf } from "../universe.ts";

/** Asked now and then: once it says so, what is known so far is taken. */
export type Stop = (() => boolean) | undefined;

/** What is asked about. */
export interface Topic {
  readonly package: string;
  /** Only this version. */
  readonly version?: Version | undefined;
}

/** What was asked about, as an answer carries it. */
export interface AskedAbout {
  readonly package: string;
  readonly version?: string | undefined;
}

/** What was asked about, as plain data. */
export function askedAbout({ package: owner, version }: Topic): AskedAbout {
  return { package: owner, ...(version !== undefined && { version: printVersion(version) }) };
}

/** An answer. */
export interface Found {
  readonly problem: Problem;
  /** What happens without anybody's approval. */
  readonly automatic: Solution;
  /** As if everything were approved. */
  readonly free: Solution;
  readonly resolution: Resolution;
}

/** The answer to a problem. Each of its solutions has a solver of its own, which nobody else asks. */
export function answerTo(problem: Problem, stop: Stop): Found {
  const solved = (one: Problem): Solution => solve(new Encoding(universeOf(one.catalogs, one.options), one), one, stop);
  const withoutApproval = automaticProblem(problem);
  const automatic = solved(withoutApproval);
  const free = withoutApproval === problem ? automatic : solved(problem);
  // Only what is asked about is read, so there is no reason to explain fewer than all.
  const resolution = report(automatic, free, pendingApprovals(automatic, free), Number.POSITIVE_INFINITY);
  return { problem, automatic, free, resolution };
}

/** The operators of the package in an answer, of whatever version. */
export function ofPackage({ members }: Solution, { package: owner }: Topic): readonly Self[] {
  return [...members].filter((one) => packageOf(one) === owner);
}

/** Is it what was asked about? */
export function isTopic(self: Self, { package: owner, version }: Topic): boolean {
  return packageOf(self) === owner && (version === undefined || isVersion(versionOf(self), version));
}

/** Are they the same version? */
export function isVersion(a: Version | undefined, b: Version): boolean {
  return a !== undefined && compareWithBuild(a, b) === 0;
}
