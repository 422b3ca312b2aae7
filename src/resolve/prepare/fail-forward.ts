// Which operators no longer count, because their update has failed and the namespace may continue? With OLM's upgrade
// strategy TechPreviewUnsafeFailForward, those whose chain of replacements ends in a failed operator (reference cases
// F01–F06).

import type { InstalledOperator } from "../../model/installed-operator.ts";
import { compareText } from "../../model/json.ts";
import type { ChainFault } from "../warning.ts";

/** The upgrade strategy of an OperatorGroup that lets a namespace continue after a failure. */
export const FAIL_FORWARD = "TechPreviewUnsafeFailForward";

/** Operators of a namespace, each replaced by the next one. */
export type ReplacementChain = readonly InstalledOperator[];

/** The effect of fail-forward on a namespace. */
export interface FailForward {
  /** The names of operators that do not count. */
  readonly dropped: ReadonlySet<string>;
  /** Chains that cannot be evaluated, and why; nothing of them is dropped. */
  readonly problems: readonly { readonly fault: ChainFault; readonly operator: InstalledOperator }[];
}

/** Evaluates every chain of replacements of a namespace. */
export function failForward(operators: readonly InstalledOperator[]): FailForward {
  const dropped = new Set<string>();
  const problems: { fault: ChainFault; operator: InstalledOperator }[] = [];
  for (const chain of replacementChains(operators)) {
    const ends = endsInFailure(chain);
    if (typeof ends === "object") problems.push({ fault: ends, operator: chain[0] as InstalledOperator });
    else if (ends) for (const { name } of chain.slice(0, -1)) dropped.add(name);
  }
  return { dropped, problems };
}

/** Whether a chain ends in a failed operator; or why that is unknown. */
export function endsInFailure(chain: ReplacementChain): boolean | ChainFault {
  const last = chain.at(-1);
  if (last === undefined) return { kind: "empty" };
  for (const { name, phase } of chain.slice(0, -1))
    if (phase !== "Replacing") return { kind: "phase", operator: name, ...(phase !== undefined && { phase }) };
  if (chain.length > 1 && chain.indexOf(last) < chain.length - 1)
    return { kind: "circle", operator: last.name, replacements: chain.length - 1 };
  return last.phase === "Failed";
}

/**
 * All chains, oldest operator first, each operator in one of them; a cycle ends with its first operator again. An
 * operator that two others replace ends its chain.
 */
export function replacementChains(operators: readonly InstalledOperator[]): readonly ReplacementChain[] {
  const sorted = operators.toSorted((a, b) => compareText(a.name, b.name));
  const names = new Set(sorted.map(({ name }) => name));
  const successors = new Map<string, InstalledOperator | "several">();
  for (const operator of sorted) {
    const { replaces } = operator;
    if (replaces === undefined || !names.has(replaces)) continue;
    successors.set(replaces, successors.has(replaces) ? "several" : operator);
  }
  const seen = new Set<InstalledOperator>();
  const follow = (first: InstalledOperator): ReplacementChain => {
    const chain: InstalledOperator[] = [];
    let next: InstalledOperator | "several" | undefined = first;
    for (; next !== undefined && next !== "several" && !seen.has(next); next = successors.get(next.name)) {
      seen.add(next);
      chain.push(next);
    }
    if (next === first) chain.push(first);
    return chain;
  };
  const isFirst = ({ replaces }: InstalledOperator): boolean =>
    replaces === undefined || !names.has(replaces) || successors.get(replaces) === "several";
  const chains = sorted.filter(isFirst).map(follow);
  for (const operator of sorted) if (!seen.has(operator)) chains.push(follow(operator));
  return chains;
}
