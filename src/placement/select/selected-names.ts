// Which names are selected, in order? A list that changes by a few names at a time and can be read as of any earlier result:
// copying 100,000 names for each change would dominate everything else.
import { compareText } from "../../model/json.ts";
import { firstPosition } from "../../model/sorted.ts";

/** A name that became selected or unselected. */
export interface Flip {
  readonly name: string;
  readonly isSelected: boolean;
}

/** With more flips than this, the list is rebuilt. */
const MAX_FLIPS = 200;

/** The names that are selected. Invariant: they are those of `#base`, sorted, after the flips of `#log` in their order. */
export class SelectedNames {
  #base: readonly string[] = [];
  /** Append-only; replaced together with the base. */
  #log: Flip[] = [];
  /** How many names there are. */
  count = 0;

  /** Selects exactly these, which are sorted. */
  replace(names: readonly string[]): void {
    this.#base = names;
    this.#log = [];
    this.count = names.length;
  }

  /** Applies what became selected or unselected. */
  change(flips: readonly Flip[]): void {
    for (const flip of flips) {
      this.#log.push(flip);
      this.count += flip.isSelected ? 1 : -1;
    }
    if (this.#log.length > MAX_FLIPS) this.current();
  }

  /** The names now. */
  current(): readonly string[] {
    if (this.#log.length > 0) this.replace(afterFlips(this.#base, this.#log));
    return this.#base;
  }

  /** The names as they are now, built on the first call. */
  snapshot(): () => readonly string[] {
    const base = this.#base;
    const log = this.#log;
    const { length } = log;
    let names: readonly string[] | undefined;
    return () => {
      const isCurrent = this.#log === log && log.length === length;
      names ??= isCurrent ? this.current() : afterFlips(base, log.slice(0, length));
      return names;
    };
  }
}

function afterFlips(base: readonly string[], flips: readonly Flip[]): readonly string[] {
  if (flips.length === 0) return base;
  const last = new Map(flips.map(({ name, isSelected }) => [name, isSelected]));
  const changed = [...last].sort(([a], [b]) => compareText(a, b));
  const names: string[] = [];
  let from = 0;
  for (const [name, isSelected] of changed) {
    const at = firstPosition(base.length, (position) => compareText(base[position] as string, name) < 0);
    for (let index = from; index < at; index++) names.push(base[index] as string);
    from = base[at] === name ? at + 1 : at;
    if (isSelected) names.push(name);
  }
  for (let index = from; index < base.length; index++) names.push(base[index] as string);
  return names;
}
