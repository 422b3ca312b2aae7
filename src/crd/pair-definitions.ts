// Which definition of the new side is which of the old one? They are paired by name; one that is only on one side was added or
// removed, unless it may be on the other side and could not be read.

import type { ClusterObjects } from "../model/cluster-objects.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import type { Finding } from "../model/finding.ts";
import type { InstalledOperator } from "../model/installed-operator.ts";
import { compareText } from "../model/json.ts";
import { inside, keyOf, type Place, wholeSource } from "../model/place.ts";
import type { UncomparedDefinition } from "./report.ts";
import type { OwnedApi } from "./upgrade/owned-kinds.ts";

/** The definitions of one side of a comparison. */
export interface DefinitionSide {
  /** The name of the input. */
  readonly path: string;
  /** Files with definitions; or a registry+v1 bundle directory or a cluster, which may have none at all. */
  readonly kind: "files" | "bundle" | "cluster";
  readonly definitions: readonly CustomResourceDefinition[];
  /** The names of invalid definitions. */
  readonly unusable: ReadonlySet<string>;
  /** Some input could not be read and may contain definitions. */
  readonly isDamaged: boolean;
  /** What the operator of the bundle owns; undefined without a bundle, or if it does not say so. */
  readonly owned: readonly OwnedApi[] | undefined;
  /** The place of what this side lacks: the ClusterServiceVersion of a bundle, or the whole input. */
  readonly place: Place;
}

/** The side that the objects of an input make; `source` is what the input is called in places. */
export function definitionSide(
  { path, kind: form, source }: Pick<DefinitionSide, "path" | "kind"> & { readonly source: string },
  { customResourceDefinitions, installedOperators, rejected }: ClusterObjects,
  findings: readonly Finding[],
): DefinitionSide {
  const invalid = rejected.filter(({ kind }) => kind === "CustomResourceDefinition" || kind === "");
  const operators = form === "bundle" ? installedOperators : [];
  return {
    path,
    kind: form,
    definitions: customResourceDefinitions,
    unusable: new Set(invalid.flatMap(({ name }) => name ?? [])),
    isDamaged: findings.some(isDamage) || invalid.some(({ name }) => name === undefined),
    owned: operators.length > 0 ? operators.flatMap(ownedBy) : undefined,
    place: operators[0]?.place ?? wholeSource(source),
  };
}

/** A file or document that could not be read, and may contain a definition. */
function isDamage({ code, dropped }: Finding): boolean {
  return dropped !== undefined && (code <= "PL004" || code === "PL006" || code === "PL014");
}

function ownedBy({ name, place, customResourceDefinitions: { owned } }: InstalledOperator): readonly OwnedApi[] {
  return owned.map(({ group, version, kind, plural }) => ({
    group,
    version,
    kind,
    by: name,
    crd: `${plural}.${group}`,
    place: keyOf(inside(place, "spec", "customresourcedefinitions"), "owned"),
  }));
}

/** A definition on both sides, or on one. */
export interface DefinitionPair {
  readonly name: string;
  readonly before: CustomResourceDefinition | undefined;
  readonly after: CustomResourceDefinition | undefined;
}

/** The definitions by name, and those that cannot be compared. */
export interface Pairs {
  readonly kind: "paired";
  readonly pairs: readonly DefinitionPair[];
  readonly notCompared: readonly UncomparedDefinition[];
}

/** Why two sides cannot be compared: one has no definition, or each has one of another name. */
export type Unpaired =
  | { readonly kind: "no-definition"; readonly path: string }
  | { readonly kind: "different-names"; readonly sides: readonly { readonly path: string; readonly name: string }[] };

/** Placeholder for the name of a definition that could not be read. */
const UNKNOWN = "(unknown)";

/** Pairs the definitions of both sides. */
export function pairDefinitions(old: DefinitionSide, now: DefinitionSide): Pairs | Unpaired {
  const sides = [old, now];
  for (const { definitions, kind, path } of sides)
    if (definitions.length === 0 && kind === "files") return { kind: "no-definition", path };
  const areSingle = sides.every((side) => side.kind === "files" && side.definitions.length + side.unusable.size === 1);
  const single = sides.map(({ path, definitions }) => ({ path, name: definitions[0]?.name ?? "" }));
  if (areSingle && single[0]?.name !== single[1]?.name) return { kind: "different-names", sides: single };
  const [before, after] = [byName(old), byName(now)];
  const pairs: DefinitionPair[] = [];
  const notCompared: UncomparedDefinition[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort(compareText)) {
    const pair = { name, before: before.get(name), after: after.get(name) };
    const missing = pair.before === undefined ? old : pair.after === undefined ? now : undefined;
    if (missing?.unusable.has(name)) notCompared.push({ name, reason: `it is invalid in ${missing.path}` });
    else if (missing?.isDamaged)
      notCompared.push({ name, reason: `a part of ${missing.path}, which may have it, could not be read` });
    else pairs.push(pair);
  }
  for (const name of [...old.unusable].filter((one) => now.unusable.has(one)).sort(compareText))
    notCompared.push({ name, reason: "it is invalid on both sides" });
  if (old.isDamaged && now.isDamaged)
    notCompared.push({
      name: UNKNOWN,
      reason: `parts of ${old.path} and ${now.path} could not be read and may be a definition`,
    });
  return { kind: "paired", pairs, notCompared };
}

function byName({ definitions }: DefinitionSide): ReadonlyMap<string, CustomResourceDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
