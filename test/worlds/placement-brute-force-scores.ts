// How good is each cluster that could be chosen? OCM's prioritizers in their plainest form (ocm.md §3.4), in exact fractions
// or in doubles.

import { parseQuantity } from "../../src/cel/library/kubernetes/quantity-parse.ts";
import { asApproximateFloat } from "../../src/cel/library/kubernetes/quantity-value.ts";
import { parseTimestamp } from "../../src/cel/value/timestamp.ts";
import { CelError } from "../../src/cel/value/value.ts";
import { compareText } from "../../src/model/json.ts";
import type { ManagedCluster } from "../../src/model/managed-cluster.ts";
import type { AddOnScore, Placement } from "../../src/model/placement.ts";
import { decidedBefore, isDecisionOf, nanosOf, type Situation } from "./placement-brute-force-filters.ts";

/** A prioritizer that counts. */
export interface Prioritizer {
  readonly name: string;
  readonly weight: number;
  readonly addOn?: AddOnScore | undefined;
}

/** One prioritizer's part of a score. */
export interface Part {
  readonly name: string;
  readonly score: number;
  readonly weight: number;
}

/** What the Placement ranks by, by name: of two built-in ones with one name the later counts, of add-ons every one. */
export function prioritizersOf({ mode }: Situation, placement: Placement): readonly Prioritizer[] {
  const { prioritizerPolicy, spreadConstraints } = placement;
  const builtIn = new Map<string, number>();
  if (prioritizerPolicy.mode !== "Exact") {
    builtIn.set("Balance", 1).set("Steady", 1);
    if (mode.spreads && spreadConstraints.length > 0) builtIn.set("Spread", 2);
  }
  const addOns: Prioritizer[] = [];
  for (const { scoreCoordinate, weight } of prioritizerPolicy.configurations) {
    if (scoreCoordinate === undefined) continue;
    const { type, addOn } = scoreCoordinate;
    if (type === "BuiltIn") builtIn.set(scoreCoordinate.builtIn ?? "", weight);
    else addOns.push({ name: `AddOn/${addOn?.resourceName}/${addOn?.scoreName}`, weight, addOn });
  }
  return [...[...builtIn].map(([name, weight]) => ({ name, weight })), ...addOns]
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => compareText(a.name, b.name) || a.weight - b.weight);
}

/** The parts of a cluster's score, except Spread, which depends on what is chosen. Without amounts there is no such part. */
export function partsOf(
  situation: Situation,
  placement: Placement,
  cluster: ManagedCluster,
  feasible: readonly ManagedCluster[],
): readonly Part[] {
  return prioritizersOf(situation, placement)
    .filter(({ name }) => name !== "Spread")
    .flatMap(({ name, weight, addOn }) => {
      if (addOn !== undefined) return { name, weight, score: addOnScore(situation, addOn, cluster) };
      if (name === "Steady") return { name, weight, score: steadyScore(situation, placement, cluster) };
      if (name === "Balance") return { name, weight, score: balanceScore(situation, placement, cluster) };
      const resource = name === "ResourceAllocatableCPU" ? "cpu" : "memory";
      const score = allocatableScore(situation, resource, cluster, feasible);
      return score === undefined ? [] : { name, weight, score };
    });
}

function steadyScore(situation: Situation, placement: Placement, { name }: ManagedCluster): number {
  return decidedBefore(situation, placement).includes(name) ? 100 : 0;
}

function balanceScore({ objects, mode }: Situation, placement: Placement, { name }: ManagedCluster): number {
  const others = objects.placementDecisions
    .filter((decision) => !isDecisionOf(decision, placement))
    .flatMap(({ decisions }) => decisions.map(({ clusterName }) => clusterName));
  const countOf = (cluster: string): number => others.filter((other) => other === cluster).length;
  const count = countOf(name);
  if (count === 0) return 100;
  const most = Math.max(...others.map(countOf));
  if (!mode.exactRatios) return plain(2 * Math.trunc(100 * (0.5 - count / most)));
  return 2 * Number((50n * BigInt(most) - 100n * BigInt(count)) / BigInt(most));
}

function addOnScore({ objects, now }: Situation, addOn: AddOnScore, { name }: ManagedCluster): number {
  const found = objects.addOnPlacementScores.find(
    (score) => score.namespace === name && score.name === addOn.resourceName,
  );
  if (found === undefined) return 0;
  if (found.validUntil !== undefined) {
    const end = parseTimestamp(found.validUntil);
    if (end instanceof CelError || nanosOf(now) > nanosOf(end)) return 0;
  }
  return found.scores.find((score) => score.name === addOn.scoreName)?.value ?? 0;
}

function allocatableScore(
  { mode }: Situation,
  resource: string,
  cluster: ManagedCluster,
  feasible: readonly ManagedCluster[],
): number | undefined {
  const amount = amountOf(resource, cluster);
  if (amount === undefined) return undefined;
  const amounts = feasible.flatMap((one) => amountOf(resource, one) ?? []);
  if (!mode.exactRatios) {
    const doubles = amounts.map(({ double }) => double);
    const [least, most] = [Math.min(...doubles), Math.max(...doubles)];
    return most === least ? 100 : plain(Math.trunc(((amount.double - least) / (most - least) - 0.5) * 2 * 100));
  }
  return scaled(
    amount.nanos,
    amounts.map(({ nanos }) => nanos),
  );
}

/** From -100 for the least of all to 100 for the most, truncated toward zero; 100 where all are equal. */
export function scaled(value: bigint, all: readonly bigint[]): number {
  const sorted = [...all].sort((a, b) => (a < b ? -1 : 1));
  const [least, most] = [sorted[0] as bigint, sorted.at(-1) as bigint];
  return least === most ? 100 : Number((200n * (value - least) - 100n * (most - least)) / (most - least));
}

interface Amount {
  /** Billionths. */
  readonly nanos: bigint;
  readonly double: number;
}

/** How much of a resource can be used; nothing if that or the capacity is not known. */
function amountOf(resource: string, { allocatable, capacity }: ManagedCluster): Amount | undefined {
  if (!Object.hasOwn(allocatable, resource) || !Object.hasOwn(capacity, resource)) return undefined;
  const text = String(allocatable[resource]);
  const nanos = nanosOfQuantity(text);
  if (nanos === undefined || nanosOfQuantity(String(capacity[resource])) === undefined) return undefined;
  const quantity = parseQuantity(text);
  return { nanos, double: quantity instanceof CelError ? Number.NaN : asApproximateFloat(quantity) };
}

const UNITS = new Map<string, bigint>([
  ["n", 1n],
  ["u", 1_000n],
  ["m", 1_000_000n],
  ["", 10n ** 9n],
  ["k", 10n ** 12n],
  ["M", 10n ** 15n],
  ["G", 10n ** 18n],
  ["Ki", 2n ** 10n * 10n ** 9n],
  ["Mi", 2n ** 20n * 10n ** 9n],
  ["Gi", 2n ** 30n * 10n ** 9n],
]);

function nanosOfQuantity(text: string): bigint | undefined {
  const found = /^([+-]?)(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(text);
  const unit = UNITS.get(found?.[4] ?? "?");
  if (found === null || unit === undefined) return undefined;
  const [, sign, whole = "0", fraction = ""] = found;
  const size = (BigInt(whole + fraction) * unit) / 10n ** BigInt(fraction.length);
  return sign === "-" ? -size : size;
}

/** A number that is not the negative zero. */
function plain(number: number): number {
  return number === 0 ? 0 : number;
}
