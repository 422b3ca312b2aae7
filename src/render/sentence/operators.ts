// How are many versions of a package written in a few words? "x 0.11.0 to 0.22.1", "every version of x".

import { addTo, groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { ExplainedOperator, Mentioned, OperatorId } from "../../resolve/explain/fact.ts";
import { compareVersions, compareWithBuild, readVersion, type Version } from "../../semver/version.ts";
import { enumerated } from "../../text/words.ts";
import { byName, byVersion, type Naming } from "./names.ts";
import { type Clause, named, plain } from "./words.ts";

/** How many version ranges of a package, and how many packages, are listed. */
const MAX_RUNS = 4;
const MAX_PACKAGES = 6;

/** What is written if all versions of a package are meant: "every version of x", "no version of x", or just "x". */
export type Whole = "every" | "some" | "no" | "name" | "runs";

export interface Style {
  readonly word?: "and" | "or" | "nor";
  readonly whole?: Whole;
}

interface Listed {
  /** The name of the package; nothing for an operator of which it, or the version, is unknown. */
  readonly owner?: string;
  /** All that is on offer of the package is meant, and that is more than one. */
  readonly isWhole: boolean;
  /** Versions and runs of versions. */
  readonly items: readonly string[];
  /** Some of the items are several versions. */
  readonly hasRun: boolean;
  /** The one version that is meant, if it is all bundles of that version and nothing else. */
  readonly only?: string;
}

/** One version and the operators that have it; `isOther` if an operator that is not meant has it, too. */
interface Rung {
  readonly version: Version;
  readonly text: string;
  readonly operators: OperatorId[];
  isOther: boolean;
}

export class OperatorWords {
  readonly #operators: readonly ExplainedOperator[];
  readonly #versions: readonly (Version | undefined)[];
  readonly #others: ReadonlyMap<string, readonly string[]>;
  readonly #offered = new Map<string, OperatorId[]>();
  /** How operators are named that are not among these. */
  readonly naming: Naming;

  constructor({ operators, offers }: Mentioned, naming: Naming = byName) {
    this.naming = naming;
    this.#operators = operators;
    this.#versions = operators.map(({ version }) => (version === undefined ? undefined : readVersion(version)));
    this.#others = new Map(offers.map(({ package: owner, others }) => [owner, others]));
    for (const [id, { package: owner, catalog, isOffChain }] of operators.entries()) {
      if (owner === undefined || catalog === undefined || isOffChain) continue;
      addTo(this.#offered, owner, id);
    }
  }

  ref(id: OperatorId): ExplainedOperator {
    return this.#operators[id] as ExplainedOperator;
  }

  packageOf(id: OperatorId): string | undefined {
    return this.ref(id).package;
  }

  /** Is it a bundle, and no operator that runs? */
  isBundle(id: OperatorId): boolean {
    return this.ref(id).catalog !== undefined;
  }

  /** Is a version newer? False if either version is unknown. */
  isNewer(a: OperatorId, b: OperatorId): boolean {
    const [x, y] = [this.#versions[a], this.#versions[b]];
    return x !== undefined && y !== undefined && compareVersions(x, y) > 0;
  }

  /** The newest first; of equal versions by name. */
  newestFirst(ids: readonly OperatorId[]): readonly OperatorId[] {
    return [...ids].sort((a, b) => {
      const [x, y] = [this.#versions[a], this.#versions[b]];
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
      return compareVersions(y, x) || compareText(this.ref(a).name, this.ref(b).name);
    });
  }

  /** One operator: its package and version, or its name if these are unknown. */
  one(id: OperatorId): string {
    return byVersion(this.ref(id));
  }

  /**
   * Operators by package, each with its versions in runs. A run spans versions that are not among them only if no
   * catalog offers them.
   */
  several(ids: readonly OperatorId[], style: Style = {}): string {
    return this.clause(ids, style).text;
  }

  /** The same, as the beginning of a sentence. */
  clause(ids: readonly OperatorId[], style: Style = {}): Clause {
    const packages = this.byPackage(ids);
    const lists = packages.slice(0, MAX_PACKAGES).map((own) => this.#listed(own));
    const texts = lists.map((list) => listText(list, style));
    const rest = packages.length - texts.length;
    const all = rest === 0 ? texts : [...texts, rest === 1 ? "one more package" : `${rest} more packages`];
    const isPlain = lists[0]?.isWhole === true && style.whole !== "name" && style.whole !== "runs";
    return (isPlain ? plain : named)(enumerated(all, style.word));
  }

  /** The operators without the name of their package, where they are all of this one: "1.0.0 to 1.4.0". */
  versions(ids: readonly OperatorId[], owner: string | undefined, { word }: Style = {}): string {
    const style: Style = { ...(word && { word }), whole: "runs" };
    const isOwn = owner !== undefined && ids.every((id) => this.packageOf(id) === owner);
    const list = this.#only(ids);
    if (!isOwn || list?.owner !== owner) return this.several(ids, style);
    return enumerated(list.items, word);
  }

  /** Are several of their versions written as one range, "1.0.0 to 1.4.0"? */
  hasRun(ids: readonly OperatorId[]): boolean {
    return this.byPackage(ids).some((own) => this.#listed(own).hasRun);
  }

  /** Do they need a verb in the plural? "every version of x" does not. */
  isPlural(ids: readonly OperatorId[]): boolean {
    return this.count(ids) !== 1 && !this.isWhole(ids);
  }

  /** How many different ones are there, by package and version? */
  count(ids: readonly OperatorId[]): number {
    return new Set(ids.map((id) => this.one(id))).size;
  }

  /** Are they all available versions of one package, and more than one? */
  isWhole(ids: readonly OperatorId[], owner?: string): boolean {
    const list = this.#only(ids);
    return list?.isWhole === true && (owner === undefined || list.owner === owner);
  }

  /** The one version of a package that they are, without any doubt as to which bundle is meant. */
  onlyVersion(ids: readonly OperatorId[], owner: string): string | undefined {
    const list = this.#only(ids);
    return list?.owner === owner ? list.only : undefined;
  }

  /** The number of items in the list when named in this style; for several packages, the largest number of one. */
  rowOf(ids: readonly OperatorId[], style: Style): { readonly packages: number; readonly items: number } {
    const packages = this.byPackage(ids).slice(0, MAX_PACKAGES + 1);
    const counts = packages.map((own) => {
      const list = this.#listed(own);
      return list.isWhole && style.whole !== "runs" ? 1 : list.items.length;
    });
    return { packages: packages.length, items: Math.max(0, ...counts) };
  }

  /** The operators of each package, by its name; those whose package or version is unknown are separate. */
  byPackage(ids: readonly OperatorId[]): readonly (readonly OperatorId[])[] {
    const groups = groupedBy(new Set(ids), (id) => {
      const { package: owner, name } = this.ref(id);
      return owner === undefined || this.#versions[id] === undefined ? `n${name}` : `p${owner}`;
    });
    return [...groups].sort(([a], [b]) => compareText(a.slice(1), b.slice(1))).map(([, own]) => own);
  }

  /** What is written of operators, if they are all of one package. */
  #only(ids: readonly OperatorId[]): Listed | undefined {
    const [own, ...more] = this.byPackage(ids);
    return own === undefined || more.length > 0 ? undefined : this.#listed(own);
  }

  #listed(ids: readonly OperatorId[]): Listed {
    const first = this.ref(ids[0] as OperatorId);
    const { package: owner, name } = first;
    if (owner === undefined || this.#versions[ids[0] as OperatorId] === undefined) {
      const text = first.catalog === undefined ? `${name} (running)` : name;
      return { isWhole: false, items: [text], hasRun: false };
    }
    const inside = new Set(ids);
    const isOnOffer = ids.some((id) => this.isBundle(id));
    const offered = isOnOffer ? (this.#offered.get(owner) ?? []) : [];
    const others = isOnOffer ? (this.#others.get(owner) ?? []) : [];
    const isWhole = offered.length > 1 && others.length === 0 && offered.every((id) => inside.has(id));
    const runs = this.#runs(ids, offered, others);
    const texts = runs.map(({ text }) => text);
    const only = runs.length === 1 ? runs[0]?.only : undefined;
    const base = { owner, isWhole, ...(only !== undefined && { only }) };
    if (texts.length <= MAX_RUNS + 1) return { ...base, items: texts, hasRun: runs.some(({ isRun }) => isRun) };
    const last = `others up to ${texts.at(-1) as string} (${ids.length} versions)`;
    return { ...base, items: [...texts.slice(0, MAX_RUNS - 1), last], hasRun: true };
  }

  #rungs(ids: readonly OperatorId[], others: readonly string[]): readonly Rung[] {
    const own = ids.map((id) => ({ version: this.#versions[id], text: this.ref(id).version ?? "", id }));
    const strange = others.map((text) => ({ version: readVersion(text), text, id: undefined }));
    const sorted = [...own, ...strange]
      .flatMap(({ version, text, id }) => (version === undefined ? [] : [{ version, text, id }]))
      .sort((a, b) => compareWithBuild(a.version, b.version) || compareText(this.#nameOf(a.id), this.#nameOf(b.id)));
    const all: Rung[] = [];
    for (const { version, text, id } of sorted) {
      const last = all.at(-1);
      const isSame = last !== undefined && compareWithBuild(last.version, version) === 0;
      const rung = isSame ? last : { version, text, operators: [], isOther: false };
      if (!isSame) all.push(rung);
      if (id === undefined) rung.isOther = true;
      else rung.operators.push(id);
    }
    return all;
  }

  #nameOf(id: OperatorId | undefined): string {
    return id === undefined ? "" : this.ref(id).name;
  }

  /** The versions, oldest first; several in a row are one. */
  #runs(
    ids: readonly OperatorId[],
    offered: readonly OperatorId[],
    others: readonly string[],
  ): readonly { readonly text: string; readonly isRun: boolean; readonly only?: string }[] {
    const inside = new Set(ids);
    const runs: { text: string; isRun: boolean; only?: string }[] = [];
    let run: string[] = [];
    const close = (): void => {
      if (run.length < 3) runs.push(...run.map((text) => ({ text, isRun: false, only: text })));
      else runs.push({ text: `${run[0] as string} to ${run.at(-1) as string}`, isRun: true });
      run = [];
    };
    for (const { text, operators, isOther } of this.#rungs([...new Set([...offered, ...ids])], others)) {
      const own = operators.filter((id) => inside.has(id));
      const isOffered = own.some((id) => this.isBundle(id));
      const isWhole = isOffered && !isOther && operators.every((id) => inside.has(id) || !this.isBundle(id));
      if (isWhole) run.push(text);
      else {
        close();
        if (own.length > 0) runs.push({ text: this.#partText(text, own), isRun: false });
      }
    }
    close();
    return runs;
  }

  /** A version that runs; or one that several catalogs have, of which not all are meant. */
  #partText(version: string, own: readonly OperatorId[]): string {
    const which = own.map((id) => {
      const { catalog } = this.ref(id);
      return catalog === undefined ? "running" : `from catalog ${catalog.name}`;
    });
    return `${version} (${enumerated([...new Set(which)])})`;
  }
}

function listText({ owner, isWhole, items }: Listed, { word, whole = "every" }: Style): string {
  if (owner === undefined) return items.join("");
  if (isWhole && whole !== "runs") return whole === "name" ? owner : `${whole} version of ${owner}`;
  return `${owner} ${enumerated(items, word)}`;
}
