// How does a Resolution object say an answer? As its status: texts are lists of lines, because `kubectl describe` prints each item of a
// list on a line of its own.

import { given } from "../../model/json.ts";
import type {
  AdvisedApproval,
  AdvisedChange,
  AdvisedExplanation,
  AdvisedHold,
  AdvisedOperator,
  AdvisedPlan,
  AdvisedRefusal,
  ResolutionCounts,
  ResolutionStatus,
} from "../../model/resolution-object.ts";
import type { OperatorChange, Plan } from "../../plan/plan.ts";
import type {
  Explanation,
  Fix,
  HeldBack,
  PackageChange,
  PendingApproval,
  Resolution,
  ResolvedOperator,
  Unsatisfied,
} from "../../resolve/resolution.ts";
import { shortened } from "../../text/words.ts";
import { textLook } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { makeStyle } from "../kit/style.ts";
import { heldBackOnly, helpLines, ONLY_CALCULATES, outdented, reasonLines } from "../resolve/sections.ts";
import { catalogText, versionIn } from "../resolve/shown.ts";
import { countsText } from "../resolve/text.ts";
import { bodyLines } from "../sentence/explanation-body.ts";
import { factTexts } from "../sentence/fact.ts";
import { byVersion } from "../sentence/names.ts";
import { reasonText } from "../sentence/reason.ts";
import { warningText } from "../sentence/warning.ts";

/** What the status says of an answer; conditions and digests are those of the controller. */
export type AdvisedStatus = Omit<
  ResolutionStatus,
  "observedGeneration" | "observedInputs" | "conditions" | "cut" | "outcome" | "summary" | "counts"
> & { readonly [Key in "outcome" | "summary" | "counts"]: NonNullable<ResolutionStatus[Key]> };

/** An answer with its explanations, and the plan that begins with it. */
export interface Advice {
  readonly resolution: Resolution;
  readonly plan: Pick<Plan, "generations"> | undefined;
  /** The command that tries a fix; empty if there is none. */
  readonly command: (fix: Fix) => string;
}

/** Plain lines, however long. */
const LOOK = textLook({ output: "text", style: makeStyle(false), width: undefined });

export function advisedStatus({ resolution, plan, command }: Advice): AdvisedStatus {
  const { outcome, unsatisfied } = resolution;
  const held = heldBackOnly(resolution);
  const explained = (explanation: Explanation | undefined): AdvisedExplanation => explanationOf(explanation, command);
  const heldBack = held.map((one) => holdOf(one, explained));
  const refused = unsatisfied.map((one) => refusalOf(one, explained));
  const [first] = [...refused, ...heldBack];
  const pendingApproval = resolution.pendingApproval.map(approvalOf);
  return given({
    outcome,
    summary: countsText([resolution], 0),
    reason: first?.summary ?? waitsText(pendingApproval),
    counts: countsOf(resolution, held),
    operators: resolution.operators.map(operatorOf),
    heldBack: unlessEmpty(heldBack),
    unsatisfied: unlessEmpty(refused),
    pendingApproval: unlessEmpty(pendingApproval),
    plan: plan && planOf(plan),
    warnings: unlessEmpty(
      resolution.warnings.map((warning) => ({
        code: warning.code,
        message: safeText(warningText(warning, byVersion)),
      })),
    ),
  } as never) as unknown as AdvisedStatus;
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function countsOf(
  { operators, unsatisfied, pendingApproval }: Resolution,
  held: readonly HeldBack[],
): ResolutionCounts {
  return {
    operators: operators.length,
    updates: operators.filter(({ action }) => action !== "keep").length,
    heldBack: held.length,
    unsatisfied: unsatisfied.length,
    pendingApproval: pendingApproval.flatMap(({ changes }) => changes).length,
  };
}

function operatorOf(operator: ResolvedOperator): AdvisedOperator {
  const { from, action, installed, request, generatedSubscription, requiredBy } = operator;
  return given({
    package: operator.package,
    bundle: operator.name,
    version: operator.version,
    channel: from?.channel,
    catalog: from && catalogText(from),
    action,
    replaces: action === "update" ? installed?.name : undefined,
    ...requestOf(request),
    generatedSubscription: generatedSubscription?.name,
    requiredBy: unlessEmpty(requiredBy) as never,
    reason: reasonText(operator),
  }) as unknown as AdvisedOperator;
}

function requestOf(request: ResolvedOperator["request"]): { subscription?: string; clusterExtension?: string } {
  if (request === undefined) return {};
  return request.extension === undefined ? { subscription: request.id } : { clusterExtension: request.id };
}

function holdOf(held: HeldBack, explained: (explanation: Explanation | undefined) => AdvisedExplanation): AdvisedHold {
  const { package: owner, name, available, explanation } = held;
  const { summary, ...more } = explained(explanation);
  const better = available.map((one) => versionIn(owner, one));
  return {
    package: owner,
    bundle: name,
    available: available.map((one) => one.name),
    summary: `${owner} is held back at ${versionIn(owner, held)}, ${better[0] ?? "another"} is available: ${summary}`,
    ...more,
  };
}

function refusalOf(
  { request, undecided, kept, explanation }: Unsatisfied,
  explained: (explanation: Explanation | undefined) => AdvisedExplanation,
): AdvisedRefusal {
  const { summary, ...more } = explained(explanation);
  const { package: owner } = request;
  const refused = undecided ? `it is undecided whether ${owner} can be installed` : `${owner} cannot be installed`;
  return given({
    package: request.package,
    ...requestOf(request),
    undecided,
    kept,
    summary: `${kept === undefined ? refused : `${owner} stays at ${kept}`}: ${summary}`,
    ...more,
  } as never) as unknown as AdvisedRefusal;
}

/** The lines of an explanation; its first one is the summary, too. */
function explanationOf(explanation: Explanation | undefined, command: (fix: Fix) => string): AdvisedExplanation {
  if (explanation === undefined) return { summary: "it is not explained", why: [] };
  const why = outdented(reasonLines(bodyLines(explanation, byVersion), LOOK));
  const [, ...help] = outdented(helpLines(explanation, { command }, LOOK));
  const hasCommand = explanation.fixes.some((fix) => command(fix) !== "");
  return {
    summary: summaryOf(explanation, why),
    why,
    ...(help.length > 0 && {
      whatWouldHelp: [...outdented(help), ...(hasCommand ? [ONLY_CALCULATES] : [])],
    }),
  };
}

const MAX_SUMMARY = 300;

/** The facts of an explanation in one line; its first line if it has none. */
function summaryOf(explanation: Explanation, [first = ""]: readonly string[]): string {
  const texts = factTexts(explanation, byVersion);
  // What is requested goes without saying, if there is anything else to say.
  const others = texts.filter((_, index) => explanation.facts[index]?.kind !== "wanted");
  const facts = others.length === 0 ? texts : others;
  return shortened(facts.length === 0 ? first.trim() : safeText(facts.join("; ")), MAX_SUMMARY);
}

function approvalOf({ requests, changes, awaiting }: PendingApproval): AdvisedApproval {
  return {
    subscriptions: requests.map(({ id }) => id),
    changes: changes.map(changeOf),
    ...(awaiting.length > 0 && { awaiting }),
  };
}

function waitsText(approvals: readonly AdvisedApproval[]): string | undefined {
  const [first] = approvals;
  const [change] = first?.changes ?? [];
  if (first === undefined || change === undefined) return undefined;
  return `${change.to} waits for the approval of ${first.subscriptions.join(", ")}`;
}

function changeOf({ package: owner, from, to }: PackageChange): AdvisedChange {
  return { package: owner, ...(from !== undefined && { from: from.name }), to: to.name };
}

function planOf({ generations }: Pick<Plan, "generations">): AdvisedPlan {
  const steps = generations[0]?.steps ?? [];
  return {
    generations: generations.length,
    next: steps.map(({ changes }) => ({ joint: changes.length > 1, changes: changes.flatMap(stepChange) })),
  };
}

function stepChange({ package: owner, from, to }: OperatorChange): readonly AdvisedChange[] {
  return to === undefined ? [] : [{ package: owner, ...(from !== undefined && { from: from.name }), to: to.name }];
}
