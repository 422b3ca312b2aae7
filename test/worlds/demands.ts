// What might an author demand? Random constraints in every kind, scope and spelling, over a small vocabulary so that they
// often concern each other; and some that cannot be read.

import type { Property } from "../../src/model/catalog.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Dice } from "./dice.ts";

/** The names that occur in a world. */
export interface Vocabulary {
  readonly packages: readonly string[];
  readonly kinds: readonly string[];
  /** Tame; or rough: much is demanded and much is broken; or deep: nearly every bundle needs another that exists. */
  readonly style: "tame" | "rough" | "deep";
}

export const VERSIONS: readonly string[] = ["1.0.0", "1.1.0", "2.0.0"];
export const LABELS: readonly string[] = ["red", "blue"];
const RANGES = [">=0.0.0", ">=1.1.0", "<1.1.0", "1.0.0", ">=1.0.0 <2.0.0", "2.0.0", ">2.0.0"];

/** A value of `tier`, which CEL rules and propertyEquals read; a text makes comparisons fail. */
export function tier(dice: Dice): Json {
  return dice.pick<Json>([1, 2, 3, "2", "gold", { level: 2 }]);
}

/** The value of an API property. */
export function api(kind: string): JsonObject {
  return { group: "example.com", version: "v1", kind };
}

/** A demand as a property. */
export function demand(dice: Dice, words: Vocabulary): Property {
  if (words.style === "deep" && dice.chance(0.8)) return need(dice, words);
  if (dice.chance(0.03)) return malformed(dice, words);
  switch (dice.between(0, 9)) {
    case 0:
    case 1:
      return { type: "olm.gvk.required", value: api(dice.pick(words.kinds)) };
    case 2:
    case 3:
      return { type: "olm.package.required", value: packageRange(dice, words) };
    case 4:
      return dice.chance(0.3)
        ? { type: "olm.label.required", value: { label: dice.pick(LABELS) } }
        : { type: "olm.constraint.cel", value: { rule: rule(dice, words) } };
    default:
      return { type: "olm.constraint", value: { ...tree(dice, words, 3, true), ...action(dice) } };
  }
}

/** A plain demand that a bundle can probably meet. */
function need(dice: Dice, words: Vocabulary): Property {
  const kind = (): JsonObject => ({ gvk: api(dice.pick(words.kinds)) });
  const owner = (): JsonObject => ({ packageName: dice.pick(words.packages), versionRange: ">=0.0.0" });
  switch (dice.between(0, 7)) {
    case 0:
    case 1:
      return { type: "olm.package.required", value: owner() };
    case 2:
      return { type: "olm.constraint", value: { any: { constraints: [kind(), { package: owner() }] } } };
    case 3:
      return { type: "olm.constraint", value: { all: { constraints: [kind(), kind()] } } };
    case 4:
      return { type: "olm.constraint", value: { ...kind(), action: { id: "require", optional: true } } };
    default:
      return { type: "olm.gvk.required", value: api(dice.pick(words.kinds)) };
  }
}

/** A runtime constraint: neither optional nor with a scope. */
export function runtimeDemand(dice: Dice, words: Vocabulary): Property {
  const constraint = tree(dice, words, 2, false);
  const conflict = dice.chance(0.6);
  return { type: "olm.constraint", value: conflict ? { ...constraint, action: { id: "conflict" } } : constraint };
}

function action(dice: Dice): JsonObject {
  const id = dice.chance(0.2) ? "conflict" : "require";
  const optional = dice.chance(0.25);
  if (!optional && id === "require") return {};
  return { action: { id, ...(optional && { optional }) } };
}

function tree(dice: Dice, words: Vocabulary, levels: number, scopes: boolean): JsonObject {
  if (levels === 1 || dice.chance(0.35)) return leaf(dice, words);
  const kind = dice.pick(["all", "any", "any", "none"]);
  const constraints = dice.times(dice.chance(0.1) ? 0 : 1, 3, () => tree(dice, words, levels - 1, scopes));
  const scope = scopes && dice.chance(levels === 3 ? 0.4 : 0.1) ? { scope: dice.pick(["solution", "bundle"]) } : {};
  return { [kind]: { ...scope, constraints } };
}

function leaf(dice: Dice, words: Vocabulary): JsonObject {
  switch (dice.between(0, 5)) {
    case 0:
    case 1:
      return { gvk: api(dice.pick(words.kinds)) };
    case 2:
      return { package: packageRange(dice, words) };
    case 3:
      return { propertyEquals: { name: "tier", value: tier(dice) } };
    default:
      return { cel: { rule: rule(dice, words) } };
  }
}

function packageRange(dice: Dice, { packages }: Vocabulary): JsonObject {
  return { packageName: dice.pick(packages), versionRange: dice.chance(0.4) ? ">=0.0.0" : dice.pick(RANGES) };
}

function rule(dice: Dice, { packages, kinds }: Vocabulary): string {
  const kind = `properties.exists(p, p.type == "olm.gvk" && p.value.kind == "${dice.pick(kinds)}")`;
  switch (dice.between(0, 7)) {
    case 0:
    case 1:
      return kind;
    case 2:
      return `properties.exists(p, p.type == "olm.package" && p.value.packageName == "${dice.pick(packages)}" && semver_compare(p.value.version, "${dice.pick(VERSIONS)}") >= 0)`;
    case 3:
      return `properties.exists(p, p.type == "tier" && p.value > ${dice.pick(["1.0", "2.0"])})`;
    case 4:
      return `properties.exists_one(p, p.type == "olm.gvk") && ${kind}`;
    case 5:
      return `properties.exists(p, p.type == "olm.label" && p.value.label in ["${dice.pick(LABELS)}"])`;
    case 6:
      return `properties.filter(p, p.type == "tier")[0].value == ${dice.pick(["1.0", "2.0"])}`;
    default:
      return `!(${kind}) && properties.exists(p, p.type == "olm.package")`;
  }
}

function malformed(dice: Dice, words: Vocabulary): Property {
  const value = dice.pick<JsonObject>([
    {},
    { cel: { rule: "properties.exists(" } },
    { ...leaf(dice, words), all: { constraints: [] } },
    { any: { constraints: [{ "olm.gvk.required": api("Buoy") }] } },
    { package: { packageName: dice.pick(words.packages), versionRange: "at least one" } },
    { all: { scope: "galaxy", constraints: [] } },
  ]);
  return { type: "olm.constraint", value };
}
