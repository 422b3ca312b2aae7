// Which definition of the new side is which of the old one? They go by their names; one that is only on one side is new
// or gone, unless it may be there and could not be read.

import type { UncomparedDefinition } from "../../crd/report.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { compareText } from "../../model/json.ts";
import type { Side } from "./side.ts";

/** A definition on both sides, or on one. */
export interface DefinitionPair {
  readonly name: string;
  readonly before: CustomResourceDefinition | undefined;
  readonly after: CustomResourceDefinition | undefined;
}

/** The definitions by name, and those of which nothing can be said. */
export interface Pairs {
  readonly pairs: readonly DefinitionPair[];
  readonly notCompared: readonly UncomparedDefinition[];
}

/** What stands for the name of a definition that nobody could read. */
const UNKNOWN = "(unknown)";

/** Pairs the definitions of both sides; or says why the two have nothing to do with each other. */
export function pairDefinitions(old: Side, now: Side): Pairs | string {
  for (const side of [old, now])
    if (side.definitions.length === 0 && !side.isBundle)
      return `${side.path} has no CustomResourceDefinition that could be compared`;
  const [before, after] = [byName(old), byName(now)];
  const [onlyOld, onlyNew] = [old.definitions[0]?.name, now.definitions[0]?.name];
  const areSingle = [old, now].every((side) => !side.isBundle && side.definitions.length + side.unusable.size === 1);
  if (areSingle && onlyOld !== onlyNew)
    return `${old.path} has ${onlyOld}, but ${now.path} has ${onlyNew}: only definitions of the same name can be compared`;
  const pairs: DefinitionPair[] = [];
  const notCompared: UncomparedDefinition[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort(compareText)) {
    const pair = { name, before: before.get(name), after: after.get(name) };
    const missing = pair.before === undefined ? old : pair.after === undefined ? now : undefined;
    if (missing?.unusable.has(name)) notCompared.push({ name, reason: `it cannot be used as ${missing.path} has it` });
    else if (missing?.isDamaged)
      notCompared.push({ name, reason: `a part of ${missing.path}, which may have it, could not be read` });
    else pairs.push(pair);
  }
  for (const name of [...old.unusable].filter((one) => now.unusable.has(one)).sort(compareText))
    notCompared.push({ name, reason: "neither side has it in a form that can be used" });
  if (old.isDamaged && now.isDamaged)
    notCompared.push({
      name: UNKNOWN,
      reason: `parts of ${old.path} and ${now.path} could not be read: they may be a definition`,
    });
  return { pairs, notCompared };
}

function byName({ definitions }: Side): ReadonlyMap<string, CustomResourceDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
