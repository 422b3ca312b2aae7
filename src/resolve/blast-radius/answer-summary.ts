// What does an answer say about each package of its namespace? As much as a comparison needs, small enough to be kept
// for every namespace.

import { getOrAdd } from "../../model/grouped.ts";
import { compareText, given } from "../../model/json.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { waitsOnly } from "../not-satisfied.ts";
import type { HeldBack, Resolution, ResolvedOperator } from "../resolution.ts";

/** What becomes of a package: the first that applies. */
export type Standing =
  /** A request for it has no operator, or none that can be updated; or that is not known. */
  | "refused"
  | "undecided"
  /** A more preferred bundle is not possible, whatever is approved. */
  | "held-back"
  /** A change waits for approval. */
  | "waits"
  | "install"
  | "update"
  | "keep"
  /** It has neither an operator nor a request. */
  | "none";

/** A request without an operator. */
export interface OpenRequest {
  readonly id: string;
  readonly kind: "Subscription" | "ClusterExtension" | "package";
}

/** An operator, or a bundle. */
export type SummarisedBundle = Pick<OperatorRef, "name" | "package" | "version">;

/** An operator of an answer. */
export interface SummarisedOperator extends SummarisedBundle {
  readonly action: ResolvedOperator["action"];
}

/** What an answer says about one package. */
export interface PackageStanding {
  /** The package of the operator that is installed, if an operator of another package replaces it. */
  readonly package: string;
  readonly standing: Standing;
  /** By name; nearly always one. */
  readonly operators: readonly SummarisedOperator[];
  /** How many bundles are preferred to what it has, or will have once that is approved. */
  readonly behind: number;
  /** The bundles that wait for approval, by name. */
  readonly waiting: readonly SummarisedBundle[];
  readonly refused: readonly OpenRequest[];
  readonly undecided: readonly OpenRequest[];
}

/** An answer, by package. */
export interface AnswerSummary {
  readonly packages: readonly PackageStanding[];
  readonly proven: boolean;
}

type Draft = { -readonly [Key in keyof PackageStanding]: PackageStanding[Key] } & { operators: SummarisedOperator[] };

/** The parts of an answer that are compared. */
type Answer = Pick<Resolution, "operators" | "heldBack" | "unsatisfied" | "pendingApproval" | "proven">;

/** The summary of an answer. */
export function summaryOf(answer: Answer): AnswerSummary {
  const { operators, heldBack, unsatisfied, pendingApproval } = answer;
  const drafts = new Map<string, Draft>();
  const draftOf = (owner: string): Draft =>
    getOrAdd(drafts, owner, () => ({
      package: owner,
      standing: "none",
      operators: [],
      behind: 0,
      waiting: [],
      refused: [],
      undecided: [],
    }));
  const nameToPackage = new Map<string, string>();
  for (const operator of operators) {
    const owner = packageOf(operator);
    nameToPackage.set(operator.name, owner);
    const draft = draftOf(owner);
    const { name, package: own, version, action } = operator;
    draft.operators.push(given({ name, package: own === "" ? undefined : own, version, action }));
    if (draft.standing === "none" || draft.standing === "keep") draft.standing = action;
  }
  const waiting = new Set<string>();
  for (const { changes } of pendingApproval)
    for (const { package: owner, from, to } of changes) {
      const draft = draftOf(nameToPackage.get(from?.name ?? "") ?? owner);
      draft.standing = "waits";
      const { name, package: own, version } = to;
      draft.waiting = [...draft.waiting, given({ name, package: own, version })].sort(byName);
      waiting.add(to.name);
    }
  for (const held of heldBack) {
    const draft = draftOf(nameToPackage.get(held.name) ?? held.package);
    draft.behind = Math.max(draft.behind, behindOf(held, waiting));
    if (!waitsOnly(held, answer)) draft.standing = "held-back";
  }
  for (const { request, undecided, kept } of unsatisfied) {
    const draft = draftOf(nameToPackage.get(kept ?? "") ?? request.package);
    const isRefused = !undecided || draft.refused.length > 0;
    draft.standing = isRefused ? "refused" : "undecided";
    const key = undecided ? "undecided" : "refused";
    draft[key] = [...draft[key], openRequest(request)];
  }
  return {
    packages: sortedEntries(drafts).map(([, draft]) => ({
      ...draft,
      operators: draft.operators.toSorted(byName),
    })),
    proven: answer.proven,
  };
}

function byName(a: SummarisedBundle, b: SummarisedBundle): number {
  return compareText(a.name, b.name);
}

/** The package under which an operator is compared, and its requests and what replaces it. */
export function packageOf({ package: owner, name, request, installed }: ResolvedOperator): string {
  return installed?.package ?? (owner === "" ? (request?.package ?? name) : owner);
}

/** The number of bundles before the one that it has, or that waits for approval. */
function behindOf({ available }: HeldBack, waiting: ReadonlySet<string>): number {
  const next = available.findIndex(({ name }) => waiting.has(name));
  return next < 0 ? available.length : next;
}

function openRequest({ id, place, extension }: RequestRef): OpenRequest {
  if (place === undefined) return { id, kind: "package" };
  return { id, kind: extension === undefined ? "Subscription" : "ClusterExtension" };
}
