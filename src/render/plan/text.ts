// How is a plan told to a person? What it comes to, the generations with their steps, and then only what needs attention;
// of several namespaces the steps of all together, as they are carried out, and then what needs attention in each.

import type { Orphan, Plan } from "../../plan/plan.ts";
import { type Look, namesText, section } from "../kit/look.ts";
import type { Style } from "../kit/style.ts";
import {
  attentionLines,
  explanationLines,
  firstLines,
  hasCommands,
  outdented,
  sentence,
  type Told,
  warningLines,
} from "../resolve/sections.ts";
import { sentence as demandText } from "../sentence/constraint.ts";
import { byVersion } from "../sentence/names.ts";
import { planBlocks } from "./generation-rows.ts";
import { headline, movingGenerations, summaryLines, type ToldPlan } from "./headline.ts";
import { lanesOf, orphansLeft } from "./lanes.ts";
import { blockLines } from "./rows.ts";
import { openEnd, type ShownPlans, versionText } from "./shown.ts";

/** The plans of all namespaces; what their commands do is said once, at the end. */
export function planLines(shown: ShownPlans, look: Look): string[] {
  const isOne = shown.plans.length === 1;
  const plans = shown.plans.map((plan): ToldPlan => {
    const open = openEnd(plan);
    const warnings = isOne ? [...shown.warnings, ...open.warnings] : open.warnings;
    return { plan, lanes: lanesOf(plan), open: { ...open, warnings } };
  });
  const isMoving = shown.plans.some((plan) => movingGenerations(plan).length > 0);
  const told: Told = {
    ...shown,
    resolutions: plans.map(({ open }) => open),
    lastAdvised: undefined,
    heldBackTitle: isMoving ? "Held back, at the end of this plan" : undefined,
  };
  const lanes = plans.flatMap((one) => one.lanes);
  const blocks = blockLines(planBlocks(lanes, { shown, look }), look);
  return [
    ...firstLines(isOne ? plans.flatMap(({ open }) => open.warnings) : shown.warnings, told, look),
    ...(isOne ? plans.flatMap((one) => headline(one, true, look)) : summaryLines(plans, look)),
    ...(isOne ? orderLines(shown.plans, look) : []),
    ...blocks,
    ...endLines(shown.plans, look),
    ...plans.flatMap((one) => (isOne ? attention(one, told, look) : partLines(one, told, look))),
    ...(isOne ? [] : warningLines(shown.warnings, told, look)),
    ...(plans.some((one) => isAdvised(one, told)) ? ["", ...sentence(ONLY_CALCULATES, look).map(look.style.dim)] : []),
  ];
}

const ORDER = "Carry out from top to bottom: within a generation, too, the order of the steps counts.";

/** Where a generation has steps whose order matters, that is said. */
function orderLines(plans: readonly Plan[], look: Look): string[] {
  const isOrdered = plans.some(({ generations }) =>
    generations.some(
      ({ steps }) => steps.filter(({ changes }) => changes.some(({ isOrdered }) => isOrdered)).length > 1,
    ),
  );
  return isOrdered ? sentence(ORDER, look).map(look.style.dim) : [];
}

/** Some steps have commands of their own, which do change something. */
const ONLY_CALCULATES = "The plimsoll commands only calculate; nothing on a cluster is changed.";

/** Everything about a plan but its steps. */
function attention({ plan, open }: ToldPlan, told: Told, look: Look): string[] {
  return [
    ...targetLines(plan, told, look),
    // Warnings come last.
    ...attentionLines({ ...open, warnings: [] }, told, look),
    ...section("Orphans", orphanLines(plan, look), look),
    ...warningLines(open.warnings, told, look),
    ...proofLines(plan, look.style),
  ];
}

/** The same below a headline, a little to the right, so that headlines can be found among others; nothing for nothing. */
function partLines(one: ToldPlan, told: Told, look: Look): string[] {
  const width = look.width === undefined ? undefined : look.width - MARGIN.length;
  const lines = attention(one, told, { ...look, width });
  if (lines.length === 0) return [];
  return ["", ...headline(one, false, look), ...lines.map((line) => (line === "" ? "" : `${MARGIN}${line}`))];
}

const MARGIN = "  ";

/** Is there a command to be tried among what would help? */
function isAdvised({ plan, open }: ToldPlan, told: Told): boolean {
  const fixes = plan.target?.explanation?.fixes ?? [];
  return hasCommands(open, told) || fixes.some((fix) => told.command(fix) !== "");
}

/** Why plans go no further although more could move: they all end together. */
function endLines(plans: readonly Plan[], look: Look): string[] {
  const [plan] = plans;
  if (plan === undefined) return [];
  const longest = Math.max(0, ...plans.map((one) => movingGenerations(one).at(-1) ?? 0));
  const text = {
    done: undefined,
    "no-way": undefined,
    unread: "Not found: not everything could be read, and what is missing may have a way.",
    generations:
      plan.target === undefined
        ? `Stopped at --max-generations ${longest}; more can move.`
        : "Stopped at --max-generations; a longer way may lead there.",
    search: `${plan.target === undefined ? "Not complete" : "Not found"}: the search was stopped by the time or by a limit; raise --timeout or --max-conflicts to search further.`,
  }[plan.end];
  return text === undefined ? [] : ["", ...sentence(text, look).map(look.style.magenta)];
}

/** Why there is no way to the target, and what would help. */
function targetLines({ target }: Plan, told: Told, look: Look): string[] {
  if (target === undefined || target.isReached || target.explanation === undefined) return [];
  return section("Why", outdented(explanationLines(target.explanation, told, look)), look);
}

function orphanLines(plan: Plan, look: Look): string[] {
  const orphans = orphansLeft(plan);
  if (orphans.length === 0) return [];
  const lines = orphans.flatMap((orphan) => {
    const ids = orphan.requests.map(({ id }) => id);
    const subscriptions =
      ids.length === 0 ? "" : ` (${ids.length === 1 ? "Subscription" : "Subscriptions"} ${namesText(ids, look)})`;
    const unneeded = orphan.neededBy === undefined ? ", and nobody needs it any more" : "";
    return sentence(
      `${orphan.package} ${versionText(orphan)} came as a dependency${unneeded}${subscriptions}${stayText(orphan, plan, look)}`,
      look,
    );
  });
  return plan.prune === false ? [...lines, ...pruneHint(orphans, look)] : lines;
}

/** Why `--prune` does not remove it, as the end of a sentence; nothing where it does. */
function stayText({ inUse, neededBy }: Orphan, { prune, end }: Plan, look: Look): string {
  if (prune !== "with-objects" && inUse.length > 0) {
    const kinds = inUse.map(({ kind, count }) => `${kind}: ${count}`);
    return `, but objects of its kinds were given (${namesText(kinds, look)}); only --prune=with-objects plans its removal`;
  }
  if (prune !== "with-objects" && neededBy !== undefined) {
    const { operator, demand, isOptional } = neededBy;
    return `; it stays, because ${byVersion(operator)} ${isOptional ? "would like" : "requires"} ${demandText(demand)}`;
  }
  // A plan that ends early has not come to the removals.
  if (prune === false || end !== "done") return "";
  return ", but without it, it would be installed again, or an operator would lack what it requires: it stays";
}

/** What `--prune` would remove. */
function pruneHint(orphans: readonly Orphan[], look: Look): string[] {
  const removable = orphans.filter(({ inUse, neededBy }) => inUse.length === 0 && neededBy === undefined).length;
  if (removable === 0) return [];
  const whose =
    removable < orphans.length ? "the removal of the others" : removable === 1 ? "its removal" : "their removal";
  return sentence(`--prune plans ${whose}.`, look).map(look.style.dim);
}

function proofLines({ proven, last, target, end }: Plan, style: Style): string[] {
  if (proven || last.outcome === "Undecided" || (target !== undefined && end !== "done")) return [];
  const text =
    target === undefined
      ? "Valid, but not every generation is proven to be the best (raise --max-conflicts to search further)"
      : "A safe way, but not proven to be the shortest: there are too many to look at all of them";
  return ["", style.yellow(text)];
}
