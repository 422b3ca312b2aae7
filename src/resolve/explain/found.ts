// What was found, and what of it concerns a package? An answer with everything that it was found with, so that one can ask
// about it.

import type { Problem } from "../../model/problem.ts";
import { compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { pendingApprovals } from "../approval.ts";
import { automaticProblem } from "../automatic-problem.ts";
import { catalogWorld } from "../catalog-world.ts";
import { Encoding } from "../encoding.ts";
import { type Operator, packageOf, versionOf } from "../member.ts";
import { type Reported, report } from "../report.ts";
import type { Resolution } from "../resolution.ts";
import { type Solution, solve } from "../solution.ts";

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

/** An answer with what it was found with. */
export interface Found extends Reported {
  readonly problem: Problem;
  /** What happens without anybody's approval. */
  readonly automatic: Solution;
  /** As if everything were approved. */
  readonly free: Solution;
}

/** What answers were found with, where there is something to explain, as long as they live. */
const remembered = new WeakMap<Resolution, Found>();

/** The answer to a problem, found by a way to solve it. */
export function findAnswer(problem: Problem, solved: (problem: Problem) => Solution): Found {
  const withoutApproval = automaticProblem(problem);
  const automatic = solved(withoutApproval);
  const free = withoutApproval === problem ? automatic : solved(problem);
  return { problem, automatic, free, ...report(automatic, free, pendingApprovals(automatic, free)) };
}

/** The answer; what it was found with is remembered as long as it lives, if there is something to explain. */
export function remember(resolution: Resolution, found: Found): Resolution {
  if (found.refused.length + found.held.length > 0) remembered.set(resolution, found);
  return resolution;
}

/** What an answer to a problem was found with; where that is not known, the problem is solved again. */
export function foundWith(resolution: Resolution, problem: Problem, stop: Stop): Found {
  return remembered.get(resolution) ?? answerTo(problem, stop);
}

/** The answer to a problem. Each of its solutions has a solver of its own, which nobody else asks. */
export function answerTo(problem: Problem, stop: Stop): Found {
  return findAnswer(problem, (one) => solve(new Encoding(catalogWorld(one.catalogs, one.options), one), one, stop));
}

/** The operators of the package in an answer, of whatever version. */
export function ofPackage({ members }: Solution, { package: owner }: Topic): readonly Operator[] {
  return [...members].filter((one) => packageOf(one) === owner);
}

/** Is it what was asked about? */
export function isTopic(self: Operator, { package: owner, version }: Topic): boolean {
  return packageOf(self) === owner && (version === undefined || isVersion(versionOf(self), version));
}

/** Are they the same version? */
export function isVersion(a: Version | undefined, b: Version): boolean {
  return a !== undefined && compareWithBuild(a, b) === 0;
}
