// Which CEL expressions are in the input, and where exactly does each of their characters stand?
import { type CelRule, celRules, RULE_TYPES } from "../../constraint/cel-rules.ts";
import { readJson, TextFault } from "../../input/json-text.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { positionInDocument } from "../../input/locate.ts";
import { readRuntimeList } from "../../input/objects/runtime-constraints.ts";
import type { Bundle, Catalog, Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { type ConfigMap, RUNTIME_CONFIG_MAP, RUNTIME_KEY } from "../../model/config-map.ts";
import { type InstalledOperator, PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { isList, isObject, type Json, own } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import { characterOf, inside, type Place } from "../../model/place.ts";
import { celExpressionPlace } from "../../model/placement.ts";
import type { EnvironmentName } from "./options.ts";

/** An expression of the input. */
export interface FoundExpression {
  readonly text: string;
  readonly env: EnvironmentName;
  /** Whose it is: `bundle etcd.v1.0.0`. */
  readonly owner: string;
  /** Where one of its characters stands. */
  readonly character: (offset: number) => Place;
}

/** A text that should hold expressions and cannot be read. */
export interface BrokenText {
  readonly text: string;
  readonly owner: string;
  readonly message: string;
  readonly help: string | undefined;
  /** Where in the text it cannot be read. */
  readonly offset: number;
  readonly place: Place;
}

/** The expressions of everything that was given. */
export interface FoundExpressions {
  readonly expressions: readonly FoundExpression[];
  readonly broken: readonly BrokenText[];
}

/** Finds all expressions: of bundles, of Placements, and of runtime constraints. */
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
  return [...bundles].flatMap((bundle) =>
    bundle.properties.flatMap((property, index) =>
      celRules(property).map((rule): FoundExpression => {
        const place = inside(bundle.place, "properties", index, ...rule.path);
        return {
          text: rule.text,
          env: "bundle",
          owner: `bundle ${bundle.name}`,
          character: (offset) => characterOf(place, offset),
        };
      }),
    ),
  );
}

function inPlacements({ placements }: ClusterObjects): readonly FoundExpression[] {
  return placements.flatMap(({ namespace, name, predicates }) =>
    predicates.flatMap((predicate) =>
      predicate.requiredClusterSelector.celExpressions.map((text, index): FoundExpression => {
        const place = celExpressionPlace(predicate, index);
        return {
          text,
          env: "placement",
          owner: `Placement ${namespace}/${name}`,
          character: (offset) => characterOf(place, offset),
        };
      }),
    ),
  );
}

/** The rules of the administrator's list, and everything that is wrong with the list. */
function inRuntimeConstraints({ place, namespace, name }: ConfigMap, text: string): FoundExpressions {
  const owner = `ConfigMap ${namespace}/${name}`;
  const { items, problems } = readRuntimeList(text, inside(place, "data", RUNTIME_KEY));
  const expressions = items.flatMap(({ property, placeInside }) =>
    celRules(property).map(
      (rule): FoundExpression => ({
        text: rule.text,
        env: "bundle",
        owner,
        character: (offset) => placeInside(rule.path.slice(1), { offset }),
      }),
    ),
  );
  const broken = problems.map(
    (problem): BrokenText => ({
      text,
      owner,
      message: problem.message,
      help: problem.help,
      offset: problem.place.offset ?? 0,
      place: problem.place,
    }),
  );
  return { expressions, broken };
}

/** The annotations in which a ClusterServiceVersion carries properties: as a list, or as an object with a list. */
const CSV_ANNOTATIONS = ["olm.properties", PROPERTIES_ANNOTATION];

/** Annotations that cannot be read are told where installed operators are read. */
function inInstalledOperator({ place, name, annotations }: InstalledOperator): readonly FoundExpression[] {
  return CSV_ANNOTATIONS.flatMap((key) => {
    const text = textUnder(annotations, key);
    const value = text === undefined ? undefined : readableJson(text);
    if (text === undefined || value === undefined) return [];
    const path = isList(value) ? [] : ["properties"];
    const entries = isObject(value) ? own(value, "properties") : value;
    if (entries === undefined || !isList(entries)) return [];
    const owner = `ClusterServiceVersion ${name}`;
    return inEntries(entries, { text, owner, outer: inside(place, "metadata", "annotations", key), path });
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

/** A text in a document, and where in it a list of properties is. */
interface InnerText {
  readonly text: string;
  readonly owner: string;
  readonly outer: Place;
  readonly path: readonly string[];
}

function inEntries(entries: readonly Json[], { text, owner, outer, path }: InnerText): readonly FoundExpression[] {
  return entries.flatMap((entry, index) =>
    rulesOfEntry(entry).map((rule): FoundExpression => {
      const character = (offset: number): Place => {
        const inner = positionInDocument(text, [...path, index, ...rule.path], offset);
        return inner === undefined ? outer : characterOf(outer, inner);
      };
      return { text: rule.text, env: "bundle", owner, character };
    }),
  );
}

function rulesOfEntry(entry: Json): readonly CelRule[] {
  const type = isObject(entry) ? own(entry, "type") : undefined;
  const value = isObject(entry) ? own(entry, "value") : undefined;
  return typeof type === "string" && value !== undefined ? celRules({ type, value } satisfies Property) : [];
}
