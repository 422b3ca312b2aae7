// What would other runtime constraints change, before they are applied? Which bundles they would hide, which operators they
// would hold back or refuse, and which installed ones break them: plain data, from the rule and from the answers of the
// engine with the present and with the proposed constraints.

import type { Catalog } from "../../model/catalog.ts";
import type { Finding } from "../../model/finding.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import { at, type Place, plainPlace } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { type RuntimeConstraintDetail, runtimeRefusal } from "../../rule/runtime-constraint.ts";
import { catalogWorld } from "../catalog-world.ts";
import { mostExplained } from "../explain/explain-answer.ts";
import { shortRef } from "../member.ts";
import type { ClusterDemands } from "../prepare/runtime-constraints.ts";
import type { AnswerSummary } from "./answer-summary.ts";
import type { ChangedPackage, Effect } from "./changed-packages.ts";
import { type Comparing, type ComparisonBug, compareAnswers, withReason } from "./compare-answers.ts";
import {
  type BundleGroup,
  bundleEffects,
  bundlesInReach,
  type HiddenBundles,
  type ReadConstraints,
  readConstraints,
} from "./hidden-bundles.ts";

/** What is proposed, for which cluster. */
export interface ProposedConstraints {
  /**
   * The cluster as it is: a problem for each namespace, and for the ClusterExtensions. All have the same runtime
   * constraints, and read constraints in the same way.
   */
  readonly problems: readonly Problem[];
  /** The proposed constraints, and the cluster with the properties that they state: `readDemands` of the proposed text. */
  readonly demands: ClusterDemands;
  /** What the content of a catalog is known by; by default, its packages. */
  readonly contentOf?: ((catalog: Catalog) => unknown) | undefined;
  /** Answers to the problems that are known already, by namespace; the others are computed. */
  readonly known?: ReadonlyMap<string, AnswerSummary> | undefined;
  /** Explain what changes, up to the limit of an answer. */
  readonly isExplained?: boolean | undefined;
  /** Polled: once it returns true, what is not compared by then is left out. */
  readonly isOver?: (() => boolean) | undefined;
  /** Called for each namespace that was compared. */
  readonly onCompared?: ((namespace: string) => void) | undefined;
}

/** An installed operator that the proposed constraints would refuse, and the present ones do not. It stays. */
export interface ViolatingOperator {
  readonly namespace: string;
  readonly operator: OperatorRef;
  /** What the first of the constraints states against it. */
  readonly detail: RuntimeConstraintDetail;
  readonly place?: Place | undefined;
}

/** What proposed runtime constraints would change. */
export interface BlastRadius {
  /** False: the proposed constraints cannot be read, and nothing could be installed or updated. */
  readonly isReadable: boolean;
  /** What is wrong with them. */
  readonly findings: readonly Finding[];
  readonly hidden: HiddenBundles;
  /** The bundles that are no longer refused. */
  readonly revealed: BundleGroup;
  /** By namespace, in the order of the problems, and package. */
  readonly changed: readonly ChangedPackage[];
  /** Operators that are newly, or further, held back. */
  readonly heldBack: number;
  /** Requests that are newly refused, and those that are newly undecided. */
  readonly refused: number;
  readonly undecided: number;
  readonly violating: readonly ViolatingOperator[];
  readonly namespaces: number;
  /** Namespaces whose answers were compared; less than all if there was not enough time. */
  readonly compared: number;
  /** Namespaces in which one of the two answers is not proven to be the best. */
  readonly unproven: number;
  /** Everything was compared; otherwise all counts are at least as high as they say. */
  readonly isComplete: boolean;
  readonly bugs: readonly ComparisonBug[];
}

/** Does it make something worse: is a request no longer satisfied, or an operator held back? */
export function isWorse({ heldBack, refused, undecided }: BlastRadius): boolean {
  return heldBack + refused + undecided > 0;
}

/** The problem with the proposed constraints. */
export function proposedProblem(problem: Problem, { runtime, node }: ClusterDemands): Problem {
  return { ...problem, runtime, node };
}

/** What the proposed constraints would change. Each namespace is resolved by itself, beside the others as they are. */
export function blastRadius(proposed: ProposedConstraints): BlastRadius {
  const { problems, demands } = proposed;
  const findings = demands.runtime.problems.map((one) => ({ ...one, place: plainPlace(one.place) }));
  const [first] = problems;
  if (first === undefined) return { ...NOTHING, isReadable: findings.length === 0, findings };
  const isOver = proposed.isOver ?? (() => false);
  const world = catalogWorld(first);
  const before = readConstraints(world, first.runtime);
  const after = readConstraints(world, demands.runtime);
  const bundles = bundlesInReach(problems, proposed.contentOf);
  const effects = bundleEffects(bundles, before, after, isOver);
  const isUnreadable = !before.isReadable || !after.isReadable;
  const comparing = { effects, isUnreadable, isOver };
  const violating = problems.flatMap((problem) => violatingOperators(problem, before, after, isOver));
  const { changed, ...counts } = comparedAnswers(proposed, comparing);
  const requestsOf = (effect: Effect): number =>
    changed.filter((one) => one.effect === effect).reduce((sum, { requests }) => sum + requests.length, 0);
  return {
    isReadable: after.isReadable,
    findings,
    hidden: effects.hidden,
    revealed: effects.revealed,
    changed,
    heldBack: changed.filter(({ effect }) => effect === "held-back").length,
    refused: requestsOf("refused"),
    undecided: requestsOf("undecided"),
    violating,
    namespaces: problems.length,
    ...counts,
    isComplete: counts.compared === problems.length,
  };
}

const NO_BUNDLES: BundleGroup = { bundles: 0, inPackages: 0, packages: [] };

/** The radius where there is nothing to resolve. */
const NOTHING: BlastRadius = {
  isReadable: true,
  findings: [],
  hidden: { bundles: 0, ofBundles: 0, packages: 0, isComplete: true, perConstraint: [] },
  revealed: NO_BUNDLES,
  changed: [],
  heldBack: 0,
  refused: 0,
  undecided: 0,
  violating: [],
  namespaces: 0,
  compared: 0,
  unproven: 0,
  isComplete: true,
  bugs: [],
};

function violatingOperators(
  { namespace, installed }: Problem,
  before: ReadConstraints,
  after: ReadConstraints,
  isOver: () => boolean,
): readonly ViolatingOperator[] {
  return installed.flatMap((operator) => {
    if (isOver()) return [];
    if (before.constraints.some((one) => runtimeRefusal(operator, one) !== undefined)) return [];
    for (const constraint of after.constraints) {
      const detail = runtimeRefusal(operator, constraint);
      if (detail !== undefined) return [{ namespace, operator: shortRef(operator), detail, ...at(constraint.place) }];
    }
    return [];
  });
}

type Compared = Pick<BlastRadius, "changed" | "compared" | "unproven" | "bugs">;

/** The differences between the answers for each namespace. */
function comparedAnswers(
  { problems, demands, known, isExplained = false, onCompared }: ProposedConstraints,
  comparing: Omit<Comparing, "known">,
): Compared {
  const changed: ChangedPackage[] = [];
  const bugs: ComparisonBug[] = [];
  let [compared, unproven] = [0, 0];
  for (const problem of problems) {
    if (comparing.isOver()) break;
    const { namespace } = problem;
    const proposed = proposedProblem(problem, demands);
    const found = compareAnswers(problem, proposed, { ...comparing, known: known?.get(namespace) });
    // An answer that was cut off may be worse than the real one.
    if (comparing.isOver()) break;
    if ("message" in found) {
      bugs.push(found);
      continue;
    }
    const { answer } = found;
    const most = isExplained && answer !== undefined ? mostExplained(proposed) : 0;
    const explained = (one: ChangedPackage, index: number): ChangedPackage =>
      answer === undefined || index >= most ? one : withReason(one, proposed, answer, comparing.isOver);
    changed.push(...found.changed.map(explained));
    compared++;
    if (!found.proven) unproven++;
    onCompared?.(namespace);
  }
  return { changed, compared, unproven, bugs };
}
