// By which scores does a Placement rank clusters? (ocm.md §3.4)
import { inside, type Place } from "../../model/place.ts";
import type { Placement, PrioritizerConfiguration } from "../../model/placement.ts";
import type { Fault } from "../fault.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Mistake } from "../placement-result.ts";
import { unknownWord } from "./selector.ts";

/** A score and its weight. */
export type Prioritizer = { readonly name: string; readonly weight: number; readonly place?: Place } & (
  | { readonly kind: "Balance" | "Steady" }
  | { readonly kind: "Allocatable"; readonly resource: "cpu" | "memory" }
  | { readonly kind: "AddOn"; readonly resourceName: string; readonly scoreName: string }
);

/** Everything that ranks clusters. */
export interface Priorities {
  /** By name; without those of weight 0. */
  readonly prioritizers: readonly Prioritizer[];
  /** How much an even spread counts; 0 if it does not. */
  readonly spreadWeight: number;
  readonly mistakes: readonly Mistake[];
}

const BUILT_IN = ["Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"] as const;
type BuiltIn = (typeof BUILT_IN)[number];

const SPREAD = "Spread";
/** The weight of Spread where nothing says another one (OCM's proposal 70). */
const SPREAD_WEIGHT = 2;
const HEAVIEST = 10;

/** Reads the prioritizer policy of a Placement. */
export function prioritiesOf(placement: Placement, mode: PlacementMode): Priorities {
  const { prioritizerPolicy: policy } = placement;
  const mistakes: Mistake[] = [];
  const at = inside(placement.place, "spec", "prioritizerPolicy");
  const add = (place: Place, fault: Fault) => mistakes.push({ fault, place, plugin: "" });
  const isExact = policy.mode === "Exact";
  if (!isExact && policy.mode !== "Additive" && policy.mode !== "")
    add(inside(at, "mode"), unknownWord("mode", policy.mode, ["Additive", "Exact"]));
  // What is listed twice: the last one counts for a built-in score, all of them for that of an add-on.
  const builtIn = new Map<string, number>(isExact ? [] : DEFAULTS);
  if (!isExact && mode.spreads && placement.spreadConstraints.length > 0) builtIn.set(SPREAD, SPREAD_WEIGHT);
  const addOns: Prioritizer[] = [];
  const last = new Map(policy.configurations.map((configuration, index) => [builtInOf(configuration), index]));
  for (const [index, configuration] of policy.configurations.entries()) {
    const name = builtInOf(configuration);
    const isOverruled = name !== undefined && last.get(name) !== index;
    // OCM looks only at what counts in the end.
    if (isOverruled && !mode.extendedStatus) continue;
    const wrong = whyMisconfigured(configuration, mode);
    if (wrong !== undefined) add(wrong.place, wrong.fault);
    const { scoreCoordinate: coordinate, weight } = configuration;
    if (mode.extendedStatus && Math.abs(weight) > HEAVIEST)
      add(inside(configuration.place, "weight"), { kind: "weight", value: weight, limit: HEAVIEST });
    if (wrong !== undefined || coordinate === undefined) continue;
    if (isBuiltIn(coordinate.type)) builtIn.set(coordinate.builtIn ?? "", weight);
    else if (coordinate.addOn !== undefined && weight !== 0) {
      const { resourceName, scoreName } = coordinate.addOn;
      const name = `AddOn/${resourceName}/${scoreName}`;
      addOns.push({ kind: "AddOn", name, weight, resourceName, scoreName, place: configuration.place });
    }
  }
  const prioritizers = [...builtIn]
    .filter(([name, weight]) => weight !== 0 && name !== SPREAD)
    .map(([name, weight]) => builtInPrioritizer(name as BuiltIn, weight));
  return {
    prioritizers: [...prioritizers, ...addOns].sort(byName),
    spreadWeight: builtIn.get(SPREAD) ?? 0,
    mistakes: mode.extendedStatus ? mistakes : inOrderOfOcm(mistakes),
  };
}

const DEFAULTS: readonly (readonly [string, number])[] = [
  ["Balance", 1],
  ["Steady", 1],
];

/** OCM looks at the mode, then asks for all scoreCoordinates before it looks into any. */
function inOrderOfOcm(mistakes: readonly Mistake[]): readonly Mistake[] {
  const order = ({ fault }: Mistake): number =>
    fault.kind === "unknown-word" && fault.field === "mode" ? 0 : fault.kind === "no-score-coordinate" ? 1 : 2;
  return [...mistakes].sort((a, b) => order(a) - order(b));
}

function byName(a: Prioritizer, b: Prioritizer): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.weight - b.weight;
}

function isBuiltIn(type: string): boolean {
  return type === "BuiltIn" || type === "";
}

function builtInPrioritizer(name: BuiltIn, weight: number): Prioritizer {
  switch (name) {
    case "Balance":
    case "Steady":
      return { kind: name, name, weight };
    case "ResourceAllocatableCPU":
      return { kind: "Allocatable", name, weight, resource: "cpu" };
    case "ResourceAllocatableMemory":
      return { kind: "Allocatable", name, weight, resource: "memory" };
  }
}

/** The built-in score that a configuration is about. */
function builtInOf({ scoreCoordinate: coordinate }: PrioritizerConfiguration): string | undefined {
  return coordinate !== undefined && isBuiltIn(coordinate.type) ? (coordinate.builtIn ?? "") : undefined;
}

/** What is wrong with a configuration. In OCM nothing is asked of one with the weight 0. */
function whyMisconfigured(
  { place, scoreCoordinate: coordinate, weight }: PrioritizerConfiguration,
  mode: PlacementMode,
): Pick<Mistake, "fault" | "place"> | undefined {
  if (coordinate === undefined) return { fault: { kind: "no-score-coordinate" }, place };
  if (weight === 0 && !mode.extendedStatus) return undefined;
  const at = inside(place, "scoreCoordinate");
  if (isBuiltIn(coordinate.type)) {
    const name = coordinate.builtIn ?? "";
    const known: readonly string[] = mode.spreads ? [...BUILT_IN, SPREAD] : BUILT_IN;
    return known.includes(name)
      ? undefined
      : { fault: unknownWord("builtIn", name, known), place: inside(at, "builtIn") };
  }
  if (coordinate.type !== "AddOn" && mode.extendedStatus)
    return { fault: { kind: "score-type", value: coordinate.type }, place: inside(at, "type") };
  return coordinate.addOn === undefined ? { fault: { kind: "no-add-on" }, place: at } : undefined;
}
