// What is different between two answers for a namespace, and is it worse?

import { sameItems } from "../../model/grouped.ts";
import { compareText, given } from "../../model/json.ts";
import { compareVersions, readVersion } from "../../semver/version.ts";
import type { Explanation, ResolvedOperator } from "../resolution.ts";
import type {
  AnswerSummary,
  OpenRequest,
  PackageStanding,
  Standing,
  SummarisedBundle,
  SummarisedOperator,
} from "./answer-summary.ts";

/** What the difference means for a package, the worst first. */
export type Effect =
  /** A request for it is no longer satisfied; or it is not known any more whether it can be. */
  | "refused"
  | "undecided"
  /** It stays at, or goes to, a bundle that is less preferred. */
  | "held-back"
  /** Other operators, for example another version of a dependency. */
  | "other"
  /** A request is satisfied that was not, or a more preferred bundle is possible. */
  | "better";

/** A package in one of the two answers. */
export interface ComparedStanding {
  readonly standing: Standing;
  readonly operator?: SummarisedOperator | undefined;
  /** What waits for approval. */
  readonly waiting?: SummarisedBundle | undefined;
}

/** Why it is so with the proposed constraints. */
export type WhyChanged =
  | { readonly kind: "not-possible"; readonly explanation: Explanation }
  | { readonly kind: "chosen"; readonly operator: ResolvedOperator };

/** A package whose part of the answer is different. */
export interface ChangedPackage {
  readonly namespace: string;
  readonly package: string;
  readonly effect: Effect;
  readonly before: ComparedStanding;
  readonly after: ComparedStanding;
  /** The requests that are newly refused or undecided. */
  readonly requests: readonly OpenRequest[];
  readonly why?: WhyChanged | undefined;
}

/** The packages with a difference, by name. */
export function changedPackages(
  namespace: string,
  before: AnswerSummary,
  after: AnswerSummary,
): readonly ChangedPackage[] {
  const [was, is] = [byPackage(before), byPackage(after)];
  return [...new Set([...was.keys(), ...is.keys()])].sort(compareText).flatMap((owner) => {
    const [from, to] = [was.get(owner) ?? absent(owner), is.get(owner) ?? absent(owner)];
    const found = effectOf(from, to);
    if (found === undefined) return [];
    const compared = { before: comparedWith(from, to), after: comparedWith(to, from) };
    return [{ namespace, package: owner, ...found, ...compared }];
  });
}

function byPackage({ packages }: AnswerSummary): ReadonlyMap<string, PackageStanding> {
  return new Map(packages.map((one) => [one.package, one]));
}

function absent(owner: string): PackageStanding {
  return { package: owner, standing: "none", operators: [], behind: 0, waiting: [], refused: [], undecided: [] };
}

function effectOf(from: PackageStanding, to: PackageStanding): Pick<ChangedPackage, "effect" | "requests"> | undefined {
  const refused = notIn(to.refused, from.refused);
  if (refused.length > 0) return { effect: "refused", requests: refused };
  const open = [...from.refused, ...from.undecided];
  const undecided = notIn(to.undecided, open);
  if (undecided.length > 0) return { effect: "undecided", requests: undecided };
  const isServed = notIn(open, [...to.refused, ...to.undecided]).length > 0;
  const step = from.behind - to.behind || waitingStep(from, to);
  if (isServed || step > 0) return { effect: "better", requests: [] };
  if (step < 0) return { effect: "held-back", requests: [] };
  return isSame(from, to) ? undefined : { effect: "other", requests: [] };
}

/** For an installation that waits for approval nothing is held back yet: is it of a newer or of an older version? */
function waitingStep({ waiting: [from] }: PackageStanding, { waiting: [to] }: PackageStanding): number {
  const [was, is] = [readVersion(from?.version ?? ""), readVersion(to?.version ?? "")];
  return was === undefined || is === undefined || from?.package !== to?.package ? 0 : compareVersions(is, was);
}

function notIn(some: readonly OpenRequest[], others: readonly OpenRequest[]): readonly OpenRequest[] {
  return some.filter(({ id }) => !others.some((other) => other.id === id));
}

function isSame(from: PackageStanding, to: PackageStanding): boolean {
  return (
    from.standing === to.standing &&
    sameItems(from.waiting.map(nameOf), to.waiting.map(nameOf)) &&
    sameItems(from.operators.map(printed), to.operators.map(printed))
  );
}

function nameOf({ name }: SummarisedBundle): string {
  return name;
}

function printed({ name, action }: SummarisedOperator): string {
  return `${name} ${action}`;
}

/** The operator that the other answer does not have; of several, the first. */
function comparedWith({ standing, operators, waiting }: PackageStanding, other: PackageStanding): ComparedStanding {
  const names = new Set(other.operators.map(nameOf));
  const operator = operators.find(({ name }) => !names.has(name)) ?? operators[0];
  return given({ standing, operator, waiting: waiting[0] });
}
