// How was an answer found, and what in it concerns a package? An answer with the solutions behind it, so that it can
// be explained.

import type { Problem } from "../../model/problem.ts";
import { compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { catalogWorld } from "../catalog-world.ts";
import { Encoding } from "../encoding.ts";
import { type Operator, packageOf, versionOf } from "../member.ts";
import { pendingApprovals } from "../pending-approval.ts";
import { type Reported, report } from "../report.ts";
import type { Resolution } from "../resolution.ts";
import { type Solution, solve } from "../solution.ts";
import { automaticProblem } from "../without-approval.ts";

/** Polled: once it returns true, the best result so far is used. */
export type Stop = (() => boolean) | undefined;

/** The subject of a question. */
export interface Topic {
  readonly package: string;
  /** Only this version. */
  readonly version?: Version | undefined;
}

/** The subject as plain data. */
export interface AskedAbout {
  readonly package: string;
  readonly version?: string | undefined;
}

export function askedAbout({ package: owner, version }: Topic): AskedAbout {
  return { package: owner, ...(version !== undefined && { version: printVersion(version) }) };
}

/** An answer and the solutions it was made from. */
export interface Found extends Reported {
  readonly problem: Problem;
  /** The solution without approvals. */
  readonly automatic: Solution;
  /** The solution as if everything were approved. */
  readonly free: Solution;
  /** Polled by the search, and by later ones about the same answer. */
  readonly stop: Stop;
}

/** The solutions behind answers that have something to explain, as long as the answer object lives. */
const remembered = new WeakMap<Resolution, Found>();

/** The answer to a problem, with the given solve function. */
export function findAnswer(problem: Problem, stop: Stop, solved: (problem: Problem) => Solution): Found {
  catalogWorld(problem).startAnswer();
  const withoutApproval = automaticProblem(problem);
  const automatic = solved(withoutApproval);
  const free = withoutApproval === problem ? automatic : solved(problem);
  return { problem, automatic, free, stop, ...report(automatic, free, pendingApprovals(automatic, free)) };
}

/** Returns the answer and remembers its solutions, if there is something to explain. */
export function remember(resolution: Resolution, found: Found): Resolution {
  if (found.refused.length + found.held.length > 0) remembered.set(resolution, found);
  return resolution;
}

/** The solutions behind an answer; if they are not remembered, the problem is solved again. */
export function foundWith(resolution: Resolution, problem: Problem, stop: Stop): Found {
  return remembered.get(resolution) ?? answerTo(problem, stop);
}

/** Solves a problem. Each solution has its own solver, which is not reused. */
export function answerTo(problem: Problem, stop: Stop): Found {
  return findAnswer(problem, stop, (one) => solve(new Encoding(one), one, stop));
}

/** The operators of the package in an answer, in any version. */
export function ofPackage({ members }: Solution, { package: owner }: Topic): readonly Operator[] {
  return [...members].filter((one) => packageOf(one) === owner);
}

/** Is the operator the subject? */
export function isTopic(self: Operator, { package: owner, version }: Topic): boolean {
  return packageOf(self) === owner && (version === undefined || isVersion(versionOf(self), version));
}

/** Are they the same version? */
export function isVersion(a: Version | undefined, b: Version): boolean {
  return a !== undefined && compareWithBuild(a, b) === 0;
}
