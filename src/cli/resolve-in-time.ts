// What are the answers, if they come in time? Without a time limit problems are solved here and now. With one they are
// solved by a thread of their own, which can be stopped at any moment; this file is also what that thread runs.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Problem } from "../model/problem.ts";
import { afterOthers } from "../resolve/after-others.ts";
import type { Resolution } from "../resolve/resolution.ts";
import { resolve } from "../resolve/resolve.ts";
import { printVersion } from "../semver/version.ts";

/** What became of a problem: an answer, none in time, or a bug of ours. */
export type Solved =
  | { readonly kind: "solved"; readonly resolution: Resolution }
  | { readonly kind: "late" }
  | { readonly kind: "bug"; readonly message: string; readonly problem: Problem };

/** What the thread says about one of its problems. */
interface Said {
  readonly index: number;
  readonly solved: Solved;
}

const THREAD = "plimsoll-resolve";

/** Solves one problem; whatever is thrown is a bug. */
export function solve(problem: Problem, by: (problem: Problem) => Resolution = resolve): Solved {
  try {
    return { kind: "solved", resolution: by(problem) };
  } catch (error) {
    return { kind: "bug", message: error instanceof Error ? (error.stack ?? error.message) : String(error), problem };
  }
}

/** Solves the problems of several namespaces, each on top of the answers before. */
function* solveInTurn(problems: readonly Problem[]): Generator<Solved> {
  const resolutions: Resolution[] = [];
  for (const problem of problems) {
    const solved = solve(afterOthers(problem, resolutions));
    if (solved.kind === "solved") resolutions.push(solved.resolution);
    yield solved;
  }
}

/** Solves problems, all of them within a number of seconds if one is given. */
export async function solveAll(problems: readonly Problem[], seconds: number | undefined): Promise<readonly Solved[]> {
  if (seconds === undefined) return [...solveInTurn(problems)];
  const all: Solved[] = problems.map(() => ({ kind: "late" }));
  if (problems.length === 0) return all;
  const worker = new Worker(new URL(import.meta.url), { workerData: THREAD });
  try {
    await new Promise<void>((done, failed) => {
      const timer = setTimeout(done, seconds * 1000);
      const end = (): void => {
        clearTimeout(timer);
        done();
      };
      let missing = problems.length;
      worker.on("message", ({ index, solved }: Said) => {
        all[index] = solved;
        if (--missing === 0) end();
      });
      worker.once("error", (error) => {
        clearTimeout(timer);
        failed(error);
      });
      worker.postMessage(problems);
    });
  } finally {
    await worker.terminate();
  }
  return all;
}

/** The answer to a problem that nobody waited for: everything stays, and nothing is certain. */
export function lateResolution({ namespace, installed, requests }: Problem, seconds: number): Resolution {
  const text = `no answer was found within ${seconds} s`;
  const fixes = [{ text: "give it more time", command: `--timeout ${Math.ceil(seconds * 10)}` }];
  return {
    namespace,
    outcome: "Undecided",
    operators: installed.map((operator) => {
      const request = requests.find((one) => one.installed === operator.name);
      return {
        package: operator.package ?? "",
        name: operator.name,
        version: operator.version === undefined ? undefined : printVersion(operator.version),
        action: "keep",
        from: undefined,
        installed: operator,
        request,
        generatedSubscription: undefined,
        requiredBy: [],
        reason: "it stays while there is no answer",
      };
    }),
    heldBack: [],
    unsatisfied: requests
      .filter((request) => request.installed === undefined)
      .map((request) => ({ request, undecided: true, explanation: { text, facts: [], fixes } })),
    pendingApproval: [],
    broken: [],
    optionalNotMet: [],
    warnings: [{ code: "timeout", message: `${text}; nothing is changed` }],
    objectives: [],
    proven: false,
    statistics: { conflicts: 0, propagations: 0, decisions: 0, variables: 0, clauses: 0, bundles: 0 },
    withoutRuntimeConstraints: undefined,
  };
}

if (!isMainThread && workerData === THREAD) {
  parentPort?.once("message", (problems: readonly Problem[]) => {
    let index = 0;
    for (const solved of solveInTurn(problems)) parentPort?.postMessage({ index: index++, solved } satisfies Said);
  });
}
