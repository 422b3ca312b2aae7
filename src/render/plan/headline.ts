// How is a plan summarised in one line? The number of generations, the number of operators by action, and how many requests
// it leaves open.

import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type { Plan } from "../../plan/plan.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { counted } from "../../text/words.ts";
import { sentenceLines, titleLines } from "../kit/lines.ts";
import { type Look, namesText } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { breaksText, openCounts, unlessNone } from "../resolve/text.ts";
import { scopeName, scopeText } from "../sentence/names.ts";
import { outcomeStyle } from "../sentence/outcome.ts";
import { type Lane, orphansLeft } from "./lanes.ts";
import { generationsText } from "./shown.ts";

export interface PlanView {
  readonly plan: Plan;
  readonly lanes: readonly Lane[];
  /** The state at the end, and all warnings. */
  readonly open: Resolution;
}

/** The numbers of the generations in which something moves. */
export function movingGenerations({ generations }: Plan): readonly number[] {
  return generations.filter(({ steps }) => steps.length > 0).map(({ number }) => number);
}

/** "Plan for namespace bridge, 2 generations, 3 operators: 2 to update, 1 stays; 1 held back". */
export function headline(view: PlanView, isOne: boolean, look: Look): string[] {
  const { plan, open } = view;
  const isLost = plan.target?.isReached === false;
  const { subject, counts } = isLost ? NO_COUNTS : countsText([view]);
  const breaks = open.broken.length === 0 ? "" : `, but ${breaksText(open.broken.length)}`;
  const isOpen = isOne && plan.end !== "done" && plan.target === undefined;
  const title = (style: Style): string =>
    [
      isOne ? titleText(view, style) : partTitle(view, style),
      subject === "" ? "" : `, ${subject}`,
      style.red(breaks),
      isOpen ? style.magenta(", not complete") : "",
    ].join("");
  return titleLines(title, counts === "" ? "" : `: ${counts}`, look);
}

const NO_COUNTS = { subject: "", counts: "" };

/** The headline of a single plan. */
function titleText({ plan, open }: PlanView, style: Style): string {
  const { target } = plan;
  const length = lengthText(movingGenerations(plan));
  const where = whereText(plan, style);
  if (target !== undefined) {
    const newest = target.request.range === undefined ? " (newest in its channel)" : "";
    const there = `${safeText(printNamedRequest(target.request))}${newest} in ${where}`;
    if (target.isReached) return `${style.green(length === "" ? "Already at" : "Path to")} ${there}${length}`;
    const no = plan.end === "no-way" ? style.red("No safe path to") : style.magenta("No safe path found to");
    return `${no} ${there}; nothing is planned`;
  }
  return length === ""
    ? stillTitle({ plan, open }, style)
    : `${outcomeStyle(open.outcome, style)("Plan")} for ${where}${length}`;
}

/** "namespace bridge", "the cluster scope". */
function whereText({ namespace }: Plan, style: Style): string {
  return scopeText(namespace, (name) => style.bold(safeText(name)));
}

/** The headline of the sections of a namespace, if its steps are listed among those of other namespaces. */
function partTitle({ plan, open }: PlanView, style: Style): string {
  const moving = movingGenerations(plan);
  const [first] = moving;
  if (first === undefined) return stillTitle({ plan, open }, style);
  const paint = outcomeStyle(open.outcome, style);
  const where =
    plan.namespace === CLUSTER_SCOPE
      ? paint("Cluster scope")
      : `${paint("Namespace")} ${style.bold(safeText(plan.namespace))}`;
  return `${where}, ${generationsText(first, moving.at(-1) ?? first)}`;
}

function stillTitle({ plan, open }: Pick<PlanView, "plan" | "open">, style: Style): string {
  const where = whereText(plan, style);
  const isUndecided = open.outcome === "Undecided" && open.unsatisfied.length > 0;
  if (plan.end !== "done" || isUndecided) return `${style.magenta("Nothing planned")} in ${where}`;
  const isFine = open.outcome === "Resolved" || open.outcome === "Partial";
  return `${isFine ? style.green("Nothing to do") : outcomeStyle(open.outcome, style)("Nothing can be done")} in ${where}`;
}

/** ", 2 generations", or which ones where they are not the first. */
function lengthText(moving: readonly number[]): string {
  const [first] = moving;
  const last = moving.at(-1) ?? 0;
  if (first === undefined) return "";
  return `, ${last === moving.length ? counted(last, "generation") : generationsText(first, last)}`;
}

/** "9 operators" and "1 to install, 2 to update, 6 stay; 1 held back; 1 orphan". */
function countsText(plans: readonly PlanView[]): { readonly subject: string; readonly counts: string } {
  const lanes = plans.flatMap((one) => one.lanes).filter(({ moves }) => moves.length > 0);
  const isGoing = ({ moves }: Lane): boolean => moves.at(-1)?.change.to === undefined;
  const stays = plans.reduce((sum, one) => sum + stayCount(one), 0);
  const parts = [
    { count: lanes.filter((lane) => lane.start === undefined && !isGoing(lane)).length, what: "to install" },
    { count: lanes.filter((lane) => lane.start !== undefined && !isGoing(lane)).length, what: "to update" },
    {
      count: lanes.filter(isGoing).length + plans.reduce((sum, { plan }) => sum + plan.gone.length, 0),
      what: "to remove",
    },
    { count: stays, what: stays === 1 ? "stays" : "stay" },
  ].filter(({ count }) => count > 0);
  const [first, ...more] = parts;
  const operators = parts.reduce((sum, { count }) => sum + count, 0);
  const total = counted(operators, "operator");
  const orphans = plans.reduce((sum, { plan }) => sum + orphansLeft(plan).length, 0);
  const open = [...openCounts(plans.map((one) => one.open)), ...unlessNone(orphans, "orphan", "orphans")];
  if (first === undefined) return { subject: "", counts: open.join("; ") };
  if (more.length === 0) return { subject: "", counts: [`${total} ${first.what}`, ...open].join("; ") };
  return {
    subject: total,
    counts: [parts.map(({ count, what }) => `${count} ${what}`).join(", "), ...open].join("; "),
  };
}

/** How many running operators are neither updated nor removed. */
function stayCount({ plan, lanes }: PlanView): number {
  const touched = new Set(
    lanes.filter(({ moves, end }) => moves.length > 0 || end?.kind === "gives-way").map(({ start }) => start?.name),
  );
  return plan.before.filter(({ name }) => !touched.has(name)).length;
}

/** "3 namespaces", "1 namespace and the cluster scope". */
function countText(plans: readonly PlanView[]): string {
  const namespaces = plans.filter(({ plan }) => plan.namespace !== CLUSTER_SCOPE).length;
  const text = counted(namespaces, "namespace");
  return namespaces === plans.length ? text : `${text} and the cluster scope`;
}

const ORDER = "Carry out generation by generation; within a generation, namespace after namespace, from top to bottom.";

/** How many namespaces change, the actions in all of them, and their order. */
export function summaryLines(plans: readonly PlanView[], look: Look): string[] {
  const still = plans.filter(({ plan }) => movingGenerations(plan).length === 0);
  const moving = plans.length - still.length;
  const longest = Math.max(0, ...plans.map(({ plan }) => movingGenerations(plan).at(-1) ?? 0));
  const idle = still.map(({ plan }) => scopeName(plan.namespace));
  const broken = plans.reduce((sum, { open }) => sum + open.broken.length, 0);
  const { subject, counts } = countsText(plans);
  const text = [
    `${countText(plans)}: something moves in ${moving} of them`,
    longest === 0 ? "" : `, in ${counted(longest, "generation")}`,
    moving > 0 && still.length > 0 ? `; nothing in ${namesText(idle, look)}` : "",
  ].join("");
  return [
    ...sentenceLines(text, look),
    ...(broken === 0 ? [] : [look.style.red(breaksText(broken))]),
    ...(counts === "" ? [] : sentenceLines(`In all${subject === "" ? "" : ` ${subject}`}: ${counts}`, look)),
    ...(moving === 0 ? [] : sentenceLines(ORDER, look)),
  ];
}
