// How is a plan printed for people? What it comes to, the generations with their steps, and then only what needs attention;
// for several namespaces, the steps of all of them in the order of execution, then what needs attention in each.

import type { Orphan, Plan } from "../../plan/plan.ts";
import { indented, narrower, sentenceLines } from "../kit/lines.ts";
import { type Look, namesText, section } from "../kit/look.ts";
import type { Style } from "../kit/style.ts";
import {
  attentionLines,
  explanationLines,
  firstLines,
  hasCommands,
  outdented,
  type SectionContext,
  warningLines,
} from "../resolve/sections.ts";
import { versionText } from "../resolve/shown.ts";
import { sentence as demandText } from "../sentence/constraint.ts";
import { byVersion } from "../sentence/names.ts";
import { planBlocks } from "./generation-rows.ts";
import { headline, movingGenerations, type PlanView, summaryLines } from "./headline.ts";
import { lanesOf, orphansLeft } from "./lanes.ts";
import { blockLines } from "./rows.ts";
import { openEnd, type ShownPlans } from "./shown.ts";

/** The plans of all namespaces; the note about what their commands do is printed once, at the end. */
export function planLines(shown: ShownPlans, look: Look): string[] {
  const isOne = shown.plans.length === 1;
  const plans = shown.plans.map((plan): PlanView => {
    const open = openEnd(plan);
    const warnings = isOne ? [...shown.warnings, ...open.warnings] : open.warnings;
    return { plan, lanes: lanesOf(plan), open: { ...open, warnings } };
  });
  const isMoving = shown.plans.some((plan) => movingGenerations(plan).length > 0);
  const context: SectionContext = {
    ...shown,
    resolutions: plans.map(({ open }) => open),
    lastAdvised: undefined,
    heldBackTitle: isMoving ? "Held back, at the end of this plan" : undefined,
  };
  const lanes = plans.flatMap((one) => one.lanes);
  const blocks = blockLines(planBlocks(lanes, { shown, look }), look);
  return [
    ...firstLines(isOne ? plans.flatMap(({ open }) => open.warnings) : shown.warnings, context, look),
    ...(isOne ? plans.flatMap((one) => headline(one, true, look)) : summaryLines(plans, look)),
    ...(isOne ? orderLines(shown.plans, look) : []),
    ...blocks,
    ...endLines(shown.plans, look),
    ...plans.flatMap((one) => (isOne ? attention(one, context, look) : partLines(one, context, look))),
    ...(isOne ? [] : warningLines(shown.warnings, context, look)),
    ...(plans.some((one) => isAdvised(one, context))
      ? ["", ...sentenceLines(ONLY_CALCULATES, look).map(look.style.dim)]
      : []),
  ];
}

const ORDER = "Carry out from top to bottom: within a generation, too, the order of the steps counts.";

/** A note if the order of the steps of a generation matters. */
function orderLines(plans: readonly Plan[], look: Look): string[] {
  const isOrdered = plans.some(({ generations }) =>
    generations.some(
      ({ steps }) => steps.filter(({ changes }) => changes.some(({ isOrdered }) => isOrdered)).length > 1,
    ),
  );
  return isOrdered ? sentenceLines(ORDER, look).map(look.style.dim) : [];
}

/** Some steps have commands of their own, which do change something. */
const ONLY_CALCULATES = "Every plimsoll command is a dry run; no cluster is changed.";

function attention({ plan, open }: PlanView, context: SectionContext, look: Look): string[] {
  return [
    ...targetLines(plan, context, look),
    // Warnings come last.
    ...attentionLines({ ...open, warnings: [] }, context, look),
    ...section("Orphans", orphanLines(plan, look), look),
    ...warningLines(open.warnings, context, look),
    ...proofLines(plan, look.style),
  ];
}

/** The same below a headline, indented so that headlines stand out; empty if there are no lines. */
function partLines(one: PlanView, context: SectionContext, look: Look): string[] {
  const lines = attention(one, context, narrower(look));
  return lines.length === 0 ? [] : ["", ...headline(one, false, look), ...indented(lines)];
}

/** Does any of the advice have a command? */
function isAdvised({ plan, open }: PlanView, context: SectionContext): boolean {
  const fixes = plan.target?.explanation?.fixes ?? [];
  return hasCommands(open, context) || fixes.some((fix) => context.command(fix) !== "");
}

/** Why plans end although more updates are possible; they all end together. */
function endLines(plans: readonly Plan[], look: Look): string[] {
  const [plan] = plans;
  if (plan === undefined) return [];
  const longest = Math.max(0, ...plans.map((one) => movingGenerations(one).at(-1) ?? 0));
  const text = {
    done: undefined,
    "no-way": undefined,
    unread: "Not found: not everything could be read, and a path may lead through what is missing.",
    generations:
      plan.target === undefined
        ? `Stopped at --max-generations ${longest}; more can move.`
        : "Stopped at --max-generations; a longer path may lead there.",
    search: `${plan.target === undefined ? "Not complete" : "Not found"}: the search was stopped by the time or by a limit; raise --timeout or --max-conflicts to search further.`,
  }[plan.end];
  return text === undefined ? [] : ["", ...sentenceLines(text, look).map(look.style.magenta)];
}

/** Why there is no path to the target, and what would help. */
function targetLines({ target }: Plan, context: SectionContext, look: Look): string[] {
  if (target === undefined || target.isReached || target.explanation === undefined) return [];
  return section("Why", outdented(explanationLines(target.explanation, context, look)), look);
}

function orphanLines(plan: Plan, look: Look): string[] {
  const orphans = orphansLeft(plan);
  if (orphans.length === 0) return [];
  const lines = orphans.flatMap((orphan) => {
    const ids = orphan.requests.map(({ id }) => id);
    const subscriptions =
      ids.length === 0 ? "" : ` (${ids.length === 1 ? "Subscription" : "Subscriptions"} ${namesText(ids, look)})`;
    const unneeded = orphan.neededBy === undefined ? ", and nothing needs it any more" : "";
    return sentenceLines(
      `${orphan.package} ${versionText(orphan)} came as a dependency${unneeded}${subscriptions}${stayText(orphan, plan, look)}`,
      look,
    );
  });
  return plan.prune === false ? [...lines, ...pruneHint(orphans, look)] : lines;
}

/** Why `--prune` does not remove it, as the end of a sentence; nothing if it does. */
function stayText({ inUse, neededBy }: Orphan, { prune, end }: Plan, look: Look): string {
  if (prune !== "with-objects" && inUse.length > 0) {
    const kinds = inUse.map(({ kind, count }) => `${kind}: ${count}`);
    return `, but objects of its kinds were given (${namesText(kinds, look)}); only --prune=with-objects plans its removal`;
  }
  if (prune !== "with-objects" && neededBy !== undefined) {
    const { operator, demand, isOptional } = neededBy;
    return `; it stays, because ${byVersion(operator)} ${isOptional ? "would like" : "requires"} ${demandText(demand)}`;
  }
  // A plan that ends early has not reached the removals.
  if (prune === false || end !== "done") return "";
  return ", but without it, it would be installed again, or an operator would lack what it requires: it stays";
}

function pruneHint(orphans: readonly Orphan[], look: Look): string[] {
  const removable = orphans.filter(({ inUse, neededBy }) => inUse.length === 0 && neededBy === undefined).length;
  if (removable === 0) return [];
  const whose =
    removable < orphans.length ? "the removal of the others" : removable === 1 ? "its removal" : "their removal";
  return sentenceLines(`--prune plans ${whose}.`, look).map(look.style.dim);
}

function proofLines({ proven, last, target, end }: Plan, style: Style): string[] {
  if (proven || last.outcome === "Undecided" || (target !== undefined && end !== "done")) return [];
  const text =
    target === undefined
      ? "Valid, but not every generation is proven to be the best (raise --max-conflicts to search further)"
      : "A safe path, but not proven to be the shortest: there are too many to compare all of them";
  return ["", style.yellow(text)];
}
