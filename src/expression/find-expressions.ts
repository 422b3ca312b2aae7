// Which CEL expressions does the input contain, and where? In constraints of bundles and installed operators, in Placements, and
// in runtime constraints.
import { celRules, RULE_TYPES } from "../constraint/cel-rules.ts";
import { readJson, TextFault } from "../input/json-text.ts";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { positionInDocument } from "../input/locate.ts";
import { readRuntimeList } from "../input/objects/runtime-constraints.ts";
import type { Bundle, Catalog, Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { type ConfigMap, RUNTIME_CONFIG_MAP, RUNTIME_KEY } from "../model/config-map.ts";
import { type InstalledOperator, PROPERTIES_ANNOTATION } from "../model/installed-operator.ts";
import { isList, isObject, type Json, own } from "../model/json.ts";
import { textUnder } from "../model/labels.ts";
import { characterOf, inside, type Path, type Place } from "../model/place.ts";
import { celExpressionPlace } from "../model/placement.ts";
import type { EnvironmentName } from "./environment-names.ts";

/** An expression of the input. */
export interface FoundExpression {
  readonly text: string;
  readonly env: EnvironmentName;
  readonly owner: ExpressionOwner;
  readonly position: ExpressionPosition;
}

/** The object that contains an expression. */
export interface ExpressionOwner {
  readonly kind: "bundle" | "Placement" | "ConfigMap" | "ClusterServiceVersion";
  readonly namespace?: string;
  readonly name: string;
}

/** Where an expression is: a value of a document; or, if that value is itself JSON or YAML, a value inside its text. */
export interface ExpressionPosition {
  readonly place: Place;
  readonly inner?: { readonly text: string; readonly path: Path };
}

/** The place of a character of an expression; of the value that contains it, if the character cannot be found. */
export function characterPlace({ place, inner }: ExpressionPosition, offset: number): Place {
  if (inner === undefined) return characterOf(place, offset);
  const found = positionInDocument(inner.text, inner.path, offset);
  return found === undefined ? place : characterOf(place, found);
}

/** A text that should contain expressions and cannot be read. */
export interface BrokenText {
  readonly text: string;
  readonly owner: ExpressionOwner;
  readonly message: string;
  readonly help?: string;
  /** The character at which reading fails. */
  readonly offset: number;
  readonly place: Place;
}

/** All expressions of the input. */
export interface FoundExpressions {
  readonly expressions: readonly FoundExpression[];
  readonly broken: readonly BrokenText[];
}

/** Finds all expressions, and the runtime constraints that cannot be read. */
export function findExpressions(catalogs: readonly Catalog[], objects: ClusterObjects): FoundExpressions {
  const expressions = [
    ...catalogs.flatMap(inCatalog),
    ...inPlacements(objects),
    ...objects.installedOperators.flatMap(inInstalledOperator),
  ];
  const broken: BrokenText[] = [];
  for (const configMap of objects.configMaps) {
    const text = configMap.name === RUNTIME_CONFIG_MAP.name ? textUnder(configMap.data, RUNTIME_KEY) : undefined;
    if (text === undefined) continue;
    const found = inRuntimeConstraints(configMap, text);
    expressions.push(...found.expressions);
    broken.push(...found.broken);
  }
  return { expressions, broken };
}

function inCatalog(catalog: Catalog): readonly FoundExpression[] {
  const bundles = new Set<Bundle>(RULE_TYPES.flatMap((type) => catalog.byPropertyType.get(type) ?? []));
  return [...bundles].flatMap(({ name, place, properties }) =>
    properties.flatMap((property, index) =>
      inProperty(property, { kind: "bundle", name }, (path) => ({
        place: inside(place, "properties", index, ...path),
      })),
    ),
  );
}

function inPlacements({ placements }: ClusterObjects): readonly FoundExpression[] {
  return placements.flatMap(({ namespace, name, predicates }) =>
    predicates.flatMap((predicate) =>
      predicate.requiredClusterSelector.celExpressions.map(
        (text, index): FoundExpression => ({
          text,
          env: "placement",
          owner: { kind: "Placement", namespace, name },
          position: { place: celExpressionPlace(predicate, index) },
        }),
      ),
    ),
  );
}

/** The expressions of a list of runtime constraints, and everything that is wrong with the list. */
function inRuntimeConstraints({ place, namespace, name }: ConfigMap, text: string): FoundExpressions {
  const owner = { kind: "ConfigMap", namespace, name } as const;
  const outer = inside(place, "data", RUNTIME_KEY);
  const { items, problems } = readRuntimeList(text, outer);
  const expressions = items.flatMap(({ property, index }) =>
    inProperty(property, owner, (path) => ({ place: outer, inner: { text, path: [index, ...path] } })),
  );
  const broken = problems.map(
    (problem): BrokenText => ({
      text,
      owner,
      message: problem.message,
      ...(problem.help !== undefined && { help: problem.help }),
      offset: problem.place.offset ?? 0,
      place: problem.place,
    }),
  );
  return { expressions, broken };
}

/** The expressions of a property; `positionOf` gives the position of a path in it. */
function inProperty(
  property: Property,
  owner: ExpressionOwner,
  positionOf: (path: Path) => ExpressionPosition,
): readonly FoundExpression[] {
  return celRules(property).map(({ text, path }) => ({ text, env: "bundle", owner, position: positionOf(path) }));
}

/** The annotations of a ClusterServiceVersion that contain properties: a list, or an object with a list. */
const CSV_ANNOTATIONS = ["olm.properties", PROPERTIES_ANNOTATION];

/** The expressions of annotations; those that cannot be read are reported where installed operators are read. */
function inInstalledOperator({ place, name, annotations }: InstalledOperator): readonly FoundExpression[] {
  return CSV_ANNOTATIONS.flatMap((key) => {
    const text = textUnder(annotations, key);
    const value = text === undefined ? undefined : readableJson(text);
    if (text === undefined || value === undefined) return [];
    const above = isList(value) ? [] : ["properties"];
    const entries = isObject(value) ? own(value, "properties") : value;
    if (entries === undefined || !isList(entries)) return [];
    const owner = { kind: "ClusterServiceVersion", name } as const;
    const outer = inside(place, "metadata", "annotations", key);
    return entries.flatMap((entry, index) => {
      const property = propertyOf(entry);
      if (property === undefined) return [];
      return inProperty(property, owner, (path) => ({
        place: outer,
        inner: { text, path: [...above, index, ...path] },
      }));
    });
  });
}

function readableJson(text: string): Json | undefined {
  try {
    return readJson(text, DEFAULT_LIMITS.maxDepth);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    return undefined;
  }
}

function propertyOf(entry: Json): Property | undefined {
  const type = isObject(entry) ? own(entry, "type") : undefined;
  const value = isObject(entry) ? own(entry, "value") : undefined;
  return typeof type === "string" && value !== undefined ? { type, value } : undefined;
}
