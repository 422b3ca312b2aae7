// How are generations printed? First, in a line each, operators whose updates are independent of others; then generation by
// generation, over all namespaces, joint steps, installations, removals and dependent updates in the order in which they are
// applied. In format `wide`, every step with all its actions.

import { groupedBy } from "../../model/grouped.ts";
import type { Action, OperatorChange, Plan, Step } from "../../plan/plan.ts";
import { type Look, namesText } from "../kit/look.ts";
import { catalogText, versionText } from "../resolve/shown.ts";
import { actionText } from "../sentence/action.ts";
import { byVersion, scopeName } from "../sentence/names.ts";
import { breachText, changeReasonText } from "../sentence/plan.ts";
import type { Lane, Move } from "./lanes.ts";
import type { Below, Block, Row } from "./rows.ts";
import { generationsText, packageBefore, type ShownPlans, stepId } from "./shown.ts";
import { isShortened, movesIn, runsAlone, runText, type Stretch, stretchesOf, versionsOf } from "./stretches.ts";
import { type PlacedStep, placedSteps } from "./subscriptions.ts";

export interface RowContext {
  readonly shown: ShownPlans;
  readonly look: Look;
}

/** All blocks of all plans; the lanes are those of all of them. */
export function planBlocks(lanes: readonly Lane[], context: RowContext): readonly Block[] {
  const { plans } = context.shown;
  const placed = groupedBy(placedSteps(plans), (one) => one.generation);
  const steps = context.look.all ? everyStep(placed, context) : mergedSteps(placed, lanes, context);
  const gone = plans.flatMap((plan) => goneRows(plan, context));
  return [{ title: "Taken away by --remove", rows: gone }, ...steps].filter(({ rows }) => rows.length > 0);
}

/** The steps of each generation, in the order in which they are taken. */
type Placed = ReadonlyMap<number, readonly PlacedStep[]>;

function goneRows({ gone, namespace }: Plan, context: RowContext): readonly Row[] {
  return gone.map((one) =>
    row({
      sign: "-",
      namespace: whereText(namespace, context),
      name: one.package ?? one.name,
      versions: versionText(one),
    }),
  );
}

function everyStep(placed: Placed, context: RowContext): readonly Block[] {
  return [...placed].map(([number, steps]) => ({
    title: titleOf({ first: number, last: number }),
    rows: steps.flatMap((one) => stepRows(one, context)),
  }));
}

function mergedSteps(placed: Placed, lanes: readonly Lane[], context: RowContext): readonly Block[] {
  const alone = lanes.flatMap((lane) => runsAlone(lane).map((moves) => ({ lane, moves })));
  const aloneSteps = new Set(alone.flatMap(({ moves }) => moves.map(({ step }) => step)));
  const others = lanes.map((lane) => ({ ...lane, moves: lane.moves.filter(({ step }) => !aloneSteps.has(step)) }));
  const isPlain = ({ isOrdinary, change }: Move): boolean => isOrdinary && !change.isOrdered;
  const stretches = stretchesOf(others, isPlain).map((stretch): Block => {
    const rows =
      stretch.first === stretch.last
        ? (placed.get(stretch.first) ?? [])
            .filter(({ step }) => !aloneSteps.has(step))
            .flatMap((one) => stepRows(one, context))
        : others.flatMap((lane) => runRows(lane, movesIn(lane, stretch), stretch, context));
    return { title: titleOf(stretch), rows };
  });
  return hinted([
    {
      title: "Independent of everything else",
      rows: alone.flatMap(({ lane, moves }) => runRows(lane, moves, undefined, context)),
    },
    ...stretches,
  ]);
}

/** The first row that leaves versions out says where they are. */
function hinted(blocks: readonly Block[]): readonly Block[] {
  const first = blocks.flatMap(({ rows }) => rows).find((one) => one.isShortened);
  const add = (one: Row): Row =>
    one === first ? { ...one, note: one.note === "" ? HINT : `${one.note}; ${HINT}` } : one;
  return first === undefined ? blocks : blocks.map(({ title, rows }) => ({ title, rows: rows.map(add) }));
}

const HINT = "-o wide lists all versions";

function titleOf({ first, last }: Stretch): string {
  return first === last ? `Generation ${first}` : `Generations ${first}–${last}`;
}

/** With several namespaces, each row has its namespace. */
function whereText(namespace: string, { shown }: RowContext): string {
  return shown.plans.length > 1 ? scopeName(namespace) : "";
}

/** Several steps of one operator in one row, with their generations where the title does not say them. */
function runRows(
  { namespace }: Lane,
  moves: readonly Move[],
  stretch: Stretch | undefined,
  context: RowContext,
): readonly Row[] {
  const [first] = moves;
  if (first === undefined) return [];
  const last = moves.at(-1)?.generation ?? first.generation;
  const isSaid = first.generation === stretch?.first && last === stretch.last;
  return [
    row({
      namespace: whereText(namespace, context),
      name: packageBefore(first.change),
      versions: runText(moves),
      isShortened: isShortened(moves),
      note: isSaid ? "" : generationsText(first.generation, last),
    }),
  ];
}

/** The rows of a step; notes about the whole step follow the last row. */
function stepRows(placed: PlacedStep, context: RowContext): readonly Row[] {
  const { changes } = placed.step;
  const last = changes.length - 1;
  return changes.map((change, index) => {
    const isJoint = last > 0;
    const bracket = !isJoint ? "" : index === 0 ? "┌" : index < last ? "│" : "└";
    const note = [...(isJoint && index === 0 ? ["joint"] : []), ...notesOf(change, context)].join("; ");
    return row({
      id: context.look.all && index === 0 ? stepId(placed.generation, placed.number) : "",
      bracket,
      sign: change.from === undefined ? "+" : change.to === undefined ? "-" : "",
      namespace: whereText(placed.plan.namespace, context),
      name: packageBefore(change),
      versions: changeText(change),
      note,
      below: [...originLines(change, context), ...(index === last ? stepLines(placed, context) : [])],
    });
  });
}

/** "1.6.0 → 2.0.0", "1.9.0 → hull-caulk 2.0.0"; for an installation or removal, only the version. */
function changeText(change: OperatorChange): string {
  if (change.from !== undefined && change.to === undefined) return versionText(change.from);
  return versionsOf([{ change }]).join(" → ");
}

/** Which operators need a new one; why one is removed; which others it replaces. */
function notesOf(change: OperatorChange, { look }: RowContext): readonly string[] {
  const { from, to, requiredBy, alsoFrom } = change;
  const why = changeReasonText(change);
  const needed = `needed by ${namesText(requiredBy.map(byVersion), look)}`;
  const others = alsoFrom.map((one) => `${one.package ?? one.name} ${versionText(one)}`);
  return [
    ...(from === undefined ? [`new, ${requiredBy.length === 0 ? why : needed}`] : []),
    ...(to === undefined ? [`removed, ${why}`] : []),
    ...(from !== undefined && to !== undefined && look.all ? [why] : []),
    ...(others.length === 0 ? [] : [`also takes the place of ${namesText(others, look)}`]),
  ];
}

/** Where a bundle comes from in format `wide`. */
function originLines({ to, request }: OperatorChange, { look }: RowContext): Below[] {
  if (!look.all || to === undefined) return [];
  const text = `${to.name} from channel ${to.channel} of catalog ${catalogText(to)}`;
  return [{ mark: "", text: request === undefined ? text : `${text}, for ${request.id}`, isUrgent: false }];
}

/** Why a step is joint, and its actions: in format `wide` all of them, otherwise only those on stored objects. */
function stepLines({ step }: PlacedStep, { look }: RowContext): Below[] {
  const { because, migrations, actions = [] } = step;
  const reasons = because.map(({ package: owner, breach }) => ({
    mark: "",
    text: `${owner} cannot go first: ${breachText(breach, byVersion)}`,
    isUrgent: false,
  }));
  const all = [...migrations, ...actions];
  return [
    ...reasons,
    ...(look.all ? all.map((action, index) => actionLine(action, index, index < migrations.length)) : byHand(step)),
  ];
}

/** One action, with the object names of the cluster. */
function actionLine(action: Action, index: number, isUrgent: boolean): Below {
  const text = actionText(action, { withNamespace: true });
  return { mark: `${index + 1}. `, text: isUrgent ? `${text} (by hand)` : text, isUrgent, command: action.command };
}

function byHand({ migrations, changes }: Step): readonly Below[] {
  if (migrations.length === 0) return [];
  const bundles = new Map(changes.flatMap(({ to }) => (to === undefined ? [] : [[to.name, byVersion(to)]])));
  return [
    { mark: "! ", text: "first, by hand:", isUrgent: true },
    ...migrations.map((action, index) => ({
      mark: `  ${index + 1}. `,
      text: actionText(action, { bundle: bundles.get(action.bundle ?? "") }),
      isUrgent: true,
      command: action.command,
    })),
  ];
}

function row(parts: Partial<Row> & Pick<Row, "name" | "versions">): Row {
  return { id: "", bracket: "", sign: "", namespace: "", note: "", below: [], ...parts };
}
