// What is left out of a status that is too large for an object of Kubernetes? The least important parts first, each of which is named.

import {
  type AdvisedExplanation,
  MAX_STATUS_LIST,
  MAX_STATUS_TEXT,
  type ResolutionStatus,
} from "../../model/resolution-object.ts";
import { shortened } from "../../text/words.ts";

/** A third of what etcd takes: the object has other parts, too. */
export const MAX_STATUS_BYTES: number = 512 * 1024;

/** How much of a status is kept. */
interface Room {
  /** Items of each list. */
  readonly items: number;
  readonly warnings: number;
  readonly help: boolean;
  readonly why: boolean;
  readonly plan: boolean;
}

const ALL: Room = { items: MAX_STATUS_LIST, warnings: 50, help: true, why: true, plan: true };

/** Less and less. */
const ROOMS: readonly Room[] = [
  ALL,
  { ...ALL, help: false },
  { ...ALL, help: false, why: false },
  ...[MAX_STATUS_LIST, 100, 10].map((items) => ({
    items,
    warnings: Math.min(items, 50),
    help: false,
    why: false,
    plan: false,
  })),
];

/** The same status if it is small enough, and no list or text of it is too long for the schema. */
export function cutStatus(status: ResolutionStatus, most: number = MAX_STATUS_BYTES): ResolutionStatus {
  const { conditions, ...rest } = status;
  if (sizeOf(status) <= most && isBounded(rest)) return status;
  let cut = status;
  for (const room of ROOMS) {
    cut = { ...(bounded(within(room, rest)) as ResolutionStatus), ...(conditions !== undefined && { conditions }) };
    if (sizeOf(cut) <= most) break;
  }
  return cut;
}

/** Is no list and no text longer than the schema allows? */
function isBounded(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_STATUS_TEXT;
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value)
    ? value.length <= MAX_STATUS_LIST && value.every(isBounded)
    : Object.values(value).every(isBounded);
}

/** Long texts and lists without their ends. */
function bounded(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_STATUS_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_STATUS_LIST).map(bounded);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bounded(part)]));
}

function sizeOf(status: ResolutionStatus): number {
  return Buffer.byteLength(JSON.stringify(status));
}

function within({ items, warnings, help, why, plan }: Room, status: ResolutionStatus): ResolutionStatus {
  const cut: string[] = [];
  const first = <Item>(list: readonly Item[] | undefined, most: number, what: string): readonly Item[] | undefined => {
    if (list === undefined || list.length <= most) return list;
    cut.push(`${what}: only the first ${most} of ${list.length} are listed`);
    return list.slice(0, most);
  };
  const lists = {
    operators: first(status.operators, items, "operators"),
    heldBack: first(status.heldBack, items, "operators held back"),
    unsatisfied: first(status.unsatisfied, items, "requests that are not satisfied"),
    pendingApproval: first(status.pendingApproval, items, "changes that wait for approval"),
    warnings: first(status.warnings, warnings, "warnings"),
  };
  const shortened = <Item extends AdvisedExplanation>(list: readonly Item[] | undefined): readonly Item[] | undefined =>
    list?.map(({ whatWouldHelp, ...item }) => ({
      ...item,
      ...(help && whatWouldHelp !== undefined && { whatWouldHelp }),
      ...(!why && { why: [] }),
    })) as readonly Item[] | undefined;
  if (!help) cut.push("what would help");
  if (!why) cut.push("the reasons, but for their first line");
  if (!plan && status.plan !== undefined) cut.push("the plan");
  const { plan: steps, ...rest } = status;
  const heldBack = shortened(lists.heldBack);
  const unsatisfied = shortened(lists.unsatisfied);
  const parts = { ...lists, heldBack, unsatisfied, plan: plan ? steps : undefined };
  const known = Object.entries(parts).filter(([, part]) => part !== undefined);
  return { ...withoutLists(rest), ...Object.fromEntries(known), cut };
}

function withoutLists({
  operators: _operators,
  heldBack: _heldBack,
  unsatisfied: _unsatisfied,
  pendingApproval: _pendingApproval,
  warnings: _warnings,
  ...rest
}: ResolutionStatus): ResolutionStatus {
  return rest;
}
