// How does a custom kind change from version to version of its operator? A version of it comes, becomes the one that objects
// are stored in, is served no longer, goes; sometimes all at once, as a careless author does it.

import type { JsonObject } from "../../src/model/json.ts";
import { apiOf, type KindDraft, type VersionDraft } from "./definitions.ts";
import type { Dice } from "./dice.ts";

/** A kind through the versions of its operator. */
export interface KindStory {
  /** The definition that a version of the operator brings. */
  readonly draft: (level: number) => KindDraft;
  /** The APIs that it then provides. */
  readonly apis: (level: number) => readonly JsonObject[];
}

const NAMES = ["v1alpha1", "v1alpha2", "v1beta1", "v1", "v2", "v3"];

/** The story of a kind. Where definitions are not visible, versions come and go more freely. */
export function kindStory(dice: Dice, kind: string, levels: number, isSeen: boolean): KindStory {
  let versions: readonly VersionDraft[] = [{ name: "v1alpha1", served: true, storage: true }];
  if (dice.chance(0.6)) versions = comes(versions);
  if (isSeen && versions.length > 1 && dice.chance(0.6)) versions = storedIn(versions, "v1alpha2");
  const chapters = [versions];
  for (let level = 1; level < levels; level++) {
    for (const _ of dice.times(isSeen ? 1 : 0, 2, () => undefined)) versions = next(dice, versions, isSeen);
    chapters.push(versions);
  }
  const draft = (level: number): KindDraft => ({
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: "Namespaced",
    versions: chapters[level] as readonly VersionDraft[],
    colours: ["red", "blue"],
    needsColour: false,
  });
  const apis = (level: number): readonly JsonObject[] =>
    draft(level)
      .versions.filter(({ served }) => served)
      .map(({ name }) => apiOf(draft(level), name));
  return { draft, apis };
}

function next(dice: Dice, versions: readonly VersionDraft[], isSeen: boolean): readonly VersionDraft[] {
  const [oldest, ...others] = versions;
  const newest = versions.at(-1)?.name as string;
  const isServedBeside = others.some(({ served }) => served);
  if (oldest === undefined || !isServedBeside) return comes(versions);
  if (dice.chance(isSeen ? 0.1 : 0.4)) return storedIn(comes(others), newest);
  if (oldest.storage) return storedIn(versions, newest);
  if (oldest.served) return dice.chance(0.8) ? [{ ...oldest, served: false }, ...others] : others;
  return others;
}

function comes(versions: readonly VersionDraft[]): readonly VersionDraft[] {
  const name = NAMES[NAMES.indexOf(versions.at(-1)?.name as string) + 1];
  return name === undefined ? versions : [...versions, { name, served: true, storage: false }];
}

function storedIn(versions: readonly VersionDraft[], wanted: string): readonly VersionDraft[] {
  return versions.map((one) => ({ ...one, storage: one.name === wanted }));
}
