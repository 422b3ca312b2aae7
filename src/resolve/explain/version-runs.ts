// How are many versions of a package said in a few words? "x 0.11.0 to 0.22.1", "every version of x".

import { compareText } from "../../model/json.ts";
import { compareVersions, compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { nameOf, packageOf, type Self, versionOf } from "../member.ts";

/** So many runs of a package are listed, and so many packages. */
const MOST_RUNS = 4;
const MOST_PACKAGES = 6;

/** One member: its package and version, or its name where these are not known. */
export function memberText(self: Self): string {
  const [owner, version] = [packageOf(self), versionOf(self)];
  return owner === undefined || version === undefined ? nameOf(self) : `${owner} ${printVersion(version)}`;
}

/** What is said where all versions of a package are meant: "every version of x", "no version of x", or just "x". */
export type Whole = "every" | "some" | "no" | "name" | "runs";

/** How members are named. */
export interface Style {
  readonly word?: "and" | "or" | "nor";
  readonly whole?: Whole;
}

/** Several things in a row: "a", "a and b", "a, b and c". */
export function enumerated(texts: readonly string[], word: "and" | "or" | "nor" = "and"): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} ${word} ${last}`;
}

/**
 * Members by package, each with its versions in runs. A run goes over versions that are not among the members only if
 * nobody offers them.
 */
export function membersText(members: readonly Self[], style: Style = {}): string {
  const packages = byPackage(members);
  const texts = packages.slice(0, MOST_PACKAGES).map((list) => packageText(list, style));
  const rest = packages.length - texts.length;
  return enumerated(
    rest === 0 ? texts : [...texts, rest === 1 ? "one more package" : `${rest} more packages`],
    style.word,
  );
}

/** The members without the name of their package, where they are all of this one: "1.0.0 to 1.4.0". */
export function versionsText(members: readonly Self[], owner: string | undefined, style: Style = {}): string {
  const text = membersText(members, { ...style, whole: "runs" });
  const isOwn = owner !== undefined && members.every((one) => packageOf(one) === owner);
  return isOwn && text.startsWith(`${owner} `) ? text.slice(owner.length + 1) : text;
}

/** Are they many, so that they need a verb in the plural? "every version of x" is one. */
export function isPlural(members: readonly Self[]): boolean {
  if (new Set(members.map(memberText)).size === 1) return false;
  return byPackage(members).length > 1 || !membersText(members).startsWith("every version of ");
}

/** Is it every version of a package that is on offer? */
export function isWhole(members: readonly Self[]): boolean {
  const offered = offerOf(members);
  const inside = new Set(members);
  return offered.length > 1 && offered.every((one) => inside.has(one));
}

/** The members of each package, by name of the package; those whose package or version is not known stand alone. */
export function byPackage(members: readonly Self[]): readonly (readonly Self[])[] {
  const groups = new Map<string, Self[]>();
  for (const member of new Set(members)) {
    const owner = packageOf(member);
    const isKnown = owner !== undefined && versionOf(member) !== undefined;
    const key = isKnown ? `p${owner}` : `n${nameOf(member)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return [...groups]
    .map(([key, list]) => [key.slice(1), list] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, list]) => list);
}

/** The versions of members of one package: "x 0.1.0, 0.3.0 and 0.5.0 to 0.9.0". */
function packageText(members: readonly Self[], { word, whole = "every" }: Style): string {
  const [first] = members;
  if (first === undefined) return "";
  const owner = packageOf(first);
  if (owner === undefined || versionOf(first) === undefined)
    return "bundle" in first ? nameOf(first) : `${nameOf(first)} (running)`;
  const offered = offerOf(members);
  if (whole !== "runs" && isWhole(members)) return whole === "name" ? owner : `${whole} version of ${owner}`;
  const texts = runs(members, offered);
  const shown = texts.length <= MOST_RUNS + 1 ? texts : shortened(texts, members);
  return `${owner} ${enumerated(shown, word)}`;
}

/** The first runs and the last, and how many versions there are. */
function shortened(texts: readonly string[], members: readonly Self[]): readonly string[] {
  const first = texts.slice(0, MOST_RUNS - 1);
  return [...first, `others up to ${texts.at(-1) as string} (${members.length} versions)`];
}

/** Everything that the catalogs offer of the package of these members. */
export function offerOf(members: readonly Self[]): readonly Self[] {
  const offered = new Set<Self>();
  for (const index of new Set(members.flatMap((one) => ("bundle" in one ? [one.index] : []))))
    for (const owner of new Set(members.flatMap((one) => packageOf(one) ?? [])))
      for (const node of index.offered(owner)) offered.add(node);
  return [...offered];
}

/** One version and who has it. */
interface Rung {
  readonly version: Version;
  readonly members: Self[];
}

function rungs(members: readonly Self[]): readonly Rung[] {
  const sorted = members
    .flatMap((member) => {
      const version = versionOf(member);
      return version === undefined ? [] : [{ version, member }];
    })
    .sort((a, b) => compareWithBuild(a.version, b.version) || compareText(nameOf(a.member), nameOf(b.member)));
  const all: Rung[] = [];
  for (const { version, member } of sorted) {
    const last = all.at(-1);
    if (last !== undefined && compareWithBuild(last.version, version) === 0) last.members.push(member);
    else all.push({ version, members: [member] });
  }
  return all;
}

/** The versions, oldest first; several in a row are one text. */
function runs(members: readonly Self[], offered: readonly Self[]): readonly string[] {
  const inside = new Set(members);
  const texts: string[] = [];
  let run: Rung[] = [];
  const close = (): void => {
    if (run.length < 3) texts.push(...run.map(({ version }) => printVersion(version)));
    else texts.push(`${printVersion((run[0] as Rung).version)} to ${printVersion((run.at(-1) as Rung).version)}`);
    run = [];
  };
  for (const rung of rungs([...new Set([...offered, ...members])])) {
    const own = rung.members.filter((one) => inside.has(one));
    const isOffered = own.some((one) => "bundle" in one);
    const isWhole = isOffered && rung.members.every((one) => inside.has(one) || !("bundle" in one));
    if (isWhole) run.push(rung);
    else {
      close();
      if (own.length > 0) texts.push(partText(rung.version, own));
    }
  }
  close();
  return texts;
}

/** A version that runs; or one that several catalogs have, of which not all are meant. */
function partText(version: Version, own: readonly Self[]): string {
  const which = own.map((one) => ("bundle" in one ? `from catalog ${one.index.catalog.name}` : "running"));
  return `${printVersion(version)} (${enumerated([...new Set(which)])})`;
}

/** The newest first; of equal versions by name. */
export function newestFirst(members: readonly Self[]): readonly Self[] {
  return [...members].sort((a, b) => {
    const [x, y] = [versionOf(a), versionOf(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return compareVersions(y, x) || compareText(nameOf(a), nameOf(b));
  });
}
