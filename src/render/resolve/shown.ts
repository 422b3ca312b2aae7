// What is shown of a run of `resolve`? The answers of its namespaces, and what is needed to print places and commands.

import { addTo } from "../../model/grouped.ts";
import type { LockComparison } from "../../model/lock.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Place } from "../../model/place.ts";
import type { Installed } from "../../model/problem.ts";
import type { Fix, Origin, Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import type { Warning } from "../../resolve/warning.ts";
import type { ShownFinding } from "../finding/finding-text.ts";

/** An operator that is removed. */
export type GoneOperator = Pick<Installed, "namespace" | "name" | "package" | "version">;

export interface ShownResolutions {
  /** By namespace. */
  readonly resolutions: readonly Resolution[];
  /** With `-A`, the answer is a list, even if it has only one item. */
  readonly isList: boolean;
  /** Warnings that concern no single namespace. */
  readonly warnings: readonly Warning[];
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
  /** The operators of all namespaces that `--remove` removes. */
  readonly gone?: readonly GoneOperator[];
  /** `file:line:column` of a place. */
  readonly at: (place: Place) => string;
  /** The complete command that tries a fix; empty if there is none. */
  readonly command: (fix: Fix) => string;
  /** The result of the comparison with a lock. */
  readonly lock?: LockComparison | undefined;
}

/** The name of a catalog, with its namespace where another catalog has the same name. */
export function catalogText({ catalog: { name, namespace }, isNameShared }: Omit<Origin, "channel">): string {
  return isNameShared && namespace !== undefined ? `${namespace}/${name}` : name;
}

/** The version of an operator of a package; its name if that is unknown, or where it is of another package. */
export function versionIn(owner: string, { name, version, package: own }: OperatorRef): string {
  return version === undefined || own !== owner ? name : version;
}

/** The version of an operator, or its name if the version is unknown. */
export function versionText({ version, name }: OperatorRef): string {
  return version ?? name;
}

/** "1.6.0 → 2.0.0"; only the version of an operator that is not updated. */
export function changeText(operator: ResolvedOperator): string {
  const before = versionBefore(operator);
  return before === undefined ? versionText(operator) : `${before} → ${versionText(operator)}`;
}

/** The version that an operator comes from, with its package if that was another one; nothing unless it is updated. */
export function versionBefore({ action, installed, package: now }: ResolvedOperator): string | undefined {
  if (action !== "update" || installed === undefined) return undefined;
  const { name, version, package: before = now } = installed;
  if (version === undefined) return name;
  return before === now ? version : `${before} ${version}`;
}

export function goneFrom({ namespace }: Resolution, { gone = [] }: ShownResolutions): readonly GoneOperator[] {
  return gone.filter((one) => one.namespace === namespace);
}

/** What an operator is called before its version: its package, or its own name if that is unknown. */
export function packageText(operator: ResolvedOperator): string {
  return operator.package === "" ? operator.name : operator.package;
}

/** The operators of the same namespace that each operator needs, by name. */
export function needsOf({ operators }: Resolution): ReadonlyMap<string, readonly ResolvedOperator[]> {
  const present = new Set(operators.map(({ name }) => name));
  const needs = new Map<string, ResolvedOperator[]>();
  for (const operator of operators)
    for (const name of operator.requiredBy)
      if (name !== operator.name && present.has(name)) addTo(needs, name, operator);
  return needs;
}
