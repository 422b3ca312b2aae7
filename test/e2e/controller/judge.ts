// Did the PlacementDecisions of a hub say anything wrong at any instant? A judge over what a watcher has seen between two
// settled states: a pure function, which knows nothing of how the decisions were made.

/** A PlacementDecision as a watcher sees it. */
export interface SeenSlice {
  /** NAMESPACE/NAME. */
  readonly key: string;
  readonly uid: string;
  /** NAMESPACE/NAME of its Placement; undefined if no label names one. */
  readonly placement: string | undefined;
  /** The labels of its group: index and name. */
  readonly group: string;
  readonly clusters: readonly string[];
}

/** What a watcher saw. */
export type SliceEvent =
  | { readonly is: "added" | "modified"; readonly slice: SeenSlice }
  | { readonly is: "deleted"; readonly key: string };

/** Everything between two settled states. */
export interface Step {
  readonly before: readonly SeenSlice[];
  readonly events: readonly SliceEvent[];
  /** Placements without promises in this step: they were replaced, or the test itself changed their PlacementDecisions. */
  readonly exempt?: ReadonlySet<string>;
  /** Clusters that a Placement did not select for a while in this step, by Placement: they may be missing. */
  readonly away?: ReadonlyMap<string, ReadonlySet<string>>;
  /** False if several changes were made at once: then clusters may pass through groups in between. */
  readonly judgesGroups?: boolean;
}

/** The PlacementDecisions at one instant, by key. */
type Slices = Map<string, SeenSlice>;

/** How many clusters a PlacementDecision may have. */
const MAX_CLUSTERS = 100;

/** The state after events. */
export function stateAfter(before: readonly SeenSlice[], events: readonly SliceEvent[]): readonly SeenSlice[] {
  const slices = byKey(before);
  for (const event of events) apply(slices, event);
  return [...slices.values()];
}

/** What was wrong at some instant of a step, a sentence each. */
export function judgeStep({
  before,
  events,
  exempt = new Set(),
  away = new Map(),
  judgesGroups = true,
}: Step): readonly string[] {
  const after = stateAfter(before, events);
  const promises = promisesOf(before, after, away);
  const slices = byKey(before);
  const violations: string[] = [];
  for (const [at, event] of events.entries()) {
    const instant = `event ${at + 1}, ${nameOf(event)}`;
    const report = (problem: string): void => void violations.push(`${instant}: ${problem}`);
    if (event.is !== "deleted") {
      judgeName(event.slice, slices.get(event.slice.key), report);
      judgeSize(event.slice, report);
    }
    apply(slices, event);
    for (const [placement, promise] of promises) {
      if (exempt.has(placement)) continue;
      const own = [...slices.values()].filter((slice) => slice.placement === placement);
      judgeMissing(placement, promise, own, report);
      if (judgesGroups) judgeGroups(promise, own, report);
    }
  }
  return unique(violations);
}

/** What is wrong with a state in which nothing is left to do. */
export function judgeSettled(slices: readonly SeenSlice[], exempt: ReadonlySet<string> = new Set()): readonly string[] {
  const violations: string[] = [];
  for (const [placement, own] of byPlacement(slices)) {
    if (exempt.has(placement)) continue;
    const places = new Map<string, string>();
    for (const { key, clusters } of own)
      for (const cluster of clusters) {
        const other = places.get(cluster);
        if (other !== undefined) violations.push(`settled: ${cluster} is in ${other} and in ${key}`);
        places.set(cluster, key);
      }
    const names = new Map<string, string>();
    for (const { key, group } of own) {
      const [index = "", name = ""] = parted(group);
      const other = names.get(index);
      if (other !== undefined && other !== name)
        violations.push(`settled: group ${index} is called "${other}" and, in ${key}, "${name}"`);
      names.set(index, name);
    }
  }
  return violations;
}

/** The labels of a group, as one text. */
export function groupText(index: string, name: string): string {
  return `${index} ${name}`;
}

function parted(group: string): readonly string[] {
  const at = group.indexOf(" ");
  return [group.slice(0, at), group.slice(at + 1)];
}

/** What a Placement promises in a step. */
interface StepPromise {
  /** The clusters that are selected all the time. */
  readonly staying: Set<string>;
  /** The clusters that become selected: from the instant in which they are in a slice, they stay. */
  readonly coming: Set<string>;
  /** The groups that each cluster has before or after. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

function promisesOf(
  before: readonly SeenSlice[],
  after: readonly SeenSlice[],
  away: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, StepPromise> {
  const old = byPlacement(before);
  const next = byPlacement(after);
  const promises = new Map<string, StepPromise>();
  for (const placement of new Set([...old.keys(), ...next.keys()])) {
    const was = groupsOf(old.get(placement) ?? []);
    const is = groupsOf(next.get(placement) ?? []);
    const clusters = [...new Set([...was.keys(), ...is.keys()])];
    const selected = [...is.keys()].filter((cluster) => away.get(placement)?.has(cluster) !== true);
    promises.set(placement, {
      staying: new Set(selected.filter((cluster) => was.has(cluster))),
      coming: new Set(selected.filter((cluster) => !was.has(cluster))),
      groups: new Map(
        clusters.map((cluster) => [cluster, new Set([...(was.get(cluster) ?? []), ...(is.get(cluster) ?? [])])]),
      ),
    });
  }
  return promises;
}

/** The groups of each cluster. */
function groupsOf(slices: readonly SeenSlice[]): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { group, clusters } of slices)
    for (const cluster of clusters) {
      const known = groups.get(cluster);
      if (known === undefined) groups.set(cluster, new Set([group]));
      else known.add(group);
    }
  return groups;
}

type Report = (problem: string) => void;

function judgeName(slice: SeenSlice, replaced: SeenSlice | undefined, report: Report): void {
  if (replaced !== undefined && replaced.uid !== slice.uid)
    report(`${slice.key} has another uid, and was not deleted before`);
}

function judgeSize({ key, clusters }: SeenSlice, report: Report): void {
  if (clusters.length > MAX_CLUSTERS) report(`${key} has ${clusters.length} clusters`);
  if (new Set(clusters).size < clusters.length) report(`${key} has a cluster twice`);
}

function judgeMissing(
  placement: string,
  { staying, coming }: StepPromise,
  own: readonly SeenSlice[],
  report: Report,
): void {
  const there = new Set(own.flatMap(({ clusters }) => clusters));
  const missing = [...staying].filter((cluster) => !there.has(cluster));
  for (const cluster of there) if (coming.delete(cluster)) staying.add(cluster);
  if (missing.length > 0) report(`${shown(missing)} of ${placement} in no PlacementDecision, though selected`);
}

/** How many names a sentence has. */
const SHOWN = 5;

function shown(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function judgeGroups({ groups }: StepPromise, own: readonly SeenSlice[], report: Report): void {
  for (const { key, group, clusters } of own)
    for (const cluster of clusters) {
      const allowed = groups.get(cluster);
      if (allowed !== undefined && !allowed.has(group))
        report(
          `${cluster} in ${key} is in group "${group}", not in ${[...allowed].map((one) => `"${one}"`).join(" or ")}`,
        );
    }
}

function apply(slices: Slices, event: SliceEvent): void {
  if (event.is === "deleted") slices.delete(event.key);
  else slices.set(event.slice.key, event.slice);
}

function byKey(slices: readonly SeenSlice[]): Slices {
  return new Map(slices.map((slice) => [slice.key, slice]));
}

function byPlacement(slices: readonly SeenSlice[]): ReadonlyMap<string, readonly SeenSlice[]> {
  const found = new Map<string, SeenSlice[]>();
  for (const slice of slices) {
    if (slice.placement === undefined) continue;
    const own = found.get(slice.placement);
    if (own === undefined) found.set(slice.placement, [slice]);
    else own.push(slice);
  }
  return found;
}

function nameOf(event: SliceEvent): string {
  return `${event.is} ${event.is === "deleted" ? event.key : event.slice.key}`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
