// What does the administrator require, and which properties does the cluster have? A list of properties in a
// ConfigMap, or in a file instead. Any error invalidates the whole list: nothing is installed past a malformed
// constraint.

import type { ConstraintProblem } from "../../constraint/constraint.ts";
import { ConstraintReader, constraintOptions } from "../../constraint/read-requirements.ts";
import { isConstraintType, readRuntimeConstraint } from "../../constraint/read-runtime-constraint.ts";
import type { RejectedObject, UnreadMention } from "../../model/cluster-objects.ts";
import { type ConfigMap, RUNTIME_CONFIG_MAP, RUNTIME_KEY } from "../../model/config-map.ts";
import { compareFindings, type Finding, finding } from "../../model/finding.ts";
import { textUnder } from "../../model/labels.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { ClusterNode, RuntimeConstraints } from "../../model/problem.ts";
import type { Given, ListedProperty, PreparationWarning, ReadList, RuntimeConstraintsText } from "./problem-inputs.ts";

const HELP = "repair it, or delete it if there are no runtime constraints; until then nothing is installed or updated";

/** More problems than this have one cause. */
const MAX_PROBLEMS = 100;

/** Properties that a cluster has once: a flag overrides the list. */
export const SINGLE_FACTS: ReadonlySet<string> = new Set(["kubernetes.version", "openshift.version", "cluster.name"]);

/** The runtime constraints, and the cluster with its known properties. */
export interface ClusterDemands {
  readonly runtime: RuntimeConstraints;
  readonly node: ClusterNode;
}

/** Reads the runtime constraints. */
export function readDemands(given: Given): ClusterDemands {
  const problems: Finding[] = [];
  const written = findText(given, problems);
  const list = written === undefined ? undefined : given.readList(written.text, written.place);
  const items = list?.items ?? [];
  problems.push(...(list?.problems ?? []));
  problems.push(...entryProblems(items, new ConstraintReader(constraintOptions(given.options))));
  const isDemand = ({ property }: ListedProperty): boolean => isConstraintType(property.type);
  const fromFlags = new Set(given.nodeProperties.map(({ type }) => type));
  const facts = items.filter((item) => !isDemand(item)).map(({ property }) => property);
  const more = facts.filter(({ type }) => !(SINGLE_FACTS.has(type) && fromFlags.has(type)));
  const declared = new Set([...fromFlags, ...more.map(({ type }) => type)]);
  const stated = (given.serverProperties ?? []).filter(({ type }) => !(SINGLE_FACTS.has(type) && declared.has(type)));
  return {
    runtime: {
      entries: items.filter(isDemand).map(({ property, place }) => ({ property, place })),
      problems: problems.sort(compareFindings),
    },
    node: { properties: [...given.nodeProperties, ...more, ...stated] },
  };
}

/** All errors of a ConfigMap of runtime constraints. */
export function listFindings(map: ConfigMap, readList: ReadList, reader: ConstraintReader): readonly Finding[] {
  const text = textUnder(map.data, RUNTIME_KEY);
  if (text === undefined) {
    const message = `the ConfigMap ${map.namespace}/${map.name} has no data.${RUNTIME_KEY}`;
    return [finding("PL009", map.place, { message, help: HELP })];
  }
  const { items, problems } = readList(text, inside(map.place, "data", RUNTIME_KEY));
  return [...problems, ...entryProblems(items, reader)];
}

function entryProblems(items: readonly ListedProperty[], reader: ConstraintReader): readonly Finding[] {
  const problems = items
    .filter(({ property }) => isConstraintType(property.type))
    .flatMap((item) =>
      readRuntimeConstraint(item.property, reader).problems.map((problem) => asFinding(problem, item)),
    );
  return problems.slice(0, MAX_PROBLEMS);
}

const WHY: Readonly<Record<UnreadMention["why"], string>> = {
  unread: "in text that cannot be read",
  ambiguous: "where a key appears twice",
};

/** The text of the list; undefined if there is none, or it is not available. */
function findText(given: Given, problems: Finding[]): RuntimeConstraintsText | undefined {
  if (given.runtimeConstraints !== undefined) return given.runtimeConstraints;
  const { objects } = given;
  const wanted = given.configMap ?? RUNTIME_CONFIG_MAP;
  const title = `the ConfigMap ${wanted.namespace}/${wanted.name}`;
  for (const rejected of objects.rejected)
    if (mayBe(rejected, wanted))
      problems.push(
        rejected.unread ??
          finding("PL009", rejected.place, { message: `${title} may be meant here, but is unreadable`, help: HELP }),
      );
  for (const { name, place, why } of objects.mentioned)
    if (name === wanted.name)
      problems.push(finding("PL009", place, { message: `${title} may be meant here, ${WHY[why]}`, help: HELP }));
  const map = objects.configMaps.find(({ namespace, name }) => namespace === wanted.namespace && name === wanted.name);
  if (map === undefined) return undefined;
  const text = textUnder(map.data, RUNTIME_KEY);
  if (text !== undefined) return { text, place: inside(map.place, "data", RUNTIME_KEY) };
  problems.push(finding("PL009", map.place, { message: `${title} has no data.${RUNTIME_KEY}`, help: HELP }));
  return undefined;
}

/**
 * Warnings about ConfigMaps that have the name of the runtime constraints but are in another namespace; and about a
 * configured ConfigMap that does not exist. Objects without a namespace are in that of `-n`.
 */
export function misplacedLists({ objects, configMap, runtimeConstraints }: Given): readonly PreparationWarning[] {
  if (runtimeConstraints !== undefined) return [];
  const wanted = configMap ?? RUNTIME_CONFIG_MAP;
  const title = `${wanted.namespace}/${wanted.name}`;
  const named = [...objects.configMaps, ...objects.rejected.filter(isConfigMap)].filter(
    ({ name }) => name === wanted.name,
  );
  const elsewhere = named.filter(({ namespace }) => namespace !== undefined && namespace !== wanted.namespace);
  const warnings = elsewhere.map(
    ({ namespace, name, place }): PreparationWarning => ({
      code: "runtime-constraints-elsewhere",
      configMap: `${namespace}/${name}`,
      wanted: title,
      place: plainPlace(place),
    }),
  );
  const isGiven = named.length > elsewhere.length || objects.mentioned.some(({ name }) => name === wanted.name);
  if (configMap === undefined || isGiven) return warnings;
  return [...warnings, { code: "runtime-constraints-not-given", wanted: title }];
}

/** Could a rejected object be the ConfigMap? An unreadable name could be any name. */
function mayBe(rejected: RejectedObject, wanted: { readonly namespace: string; readonly name: string }): boolean {
  const { kind, namespace = wanted.namespace, name } = rejected;
  if (namespace !== wanted.namespace) return false;
  return kind === "" ? name === wanted.name : isConfigMap(rejected) && (name ?? wanted.name) === wanted.name;
}

function isConfigMap({ kind, meant = kind }: RejectedObject): boolean {
  return meant.toLowerCase() === "configmap";
}

function asFinding({ message, hint, path, offset, ofKey }: ConstraintProblem, item: ListedProperty): Finding {
  const place = item.placeInside(path, {
    ...(offset !== undefined && { offset }),
    ...(ofKey !== undefined && { ofKey }),
  });
  return finding("PL053", place, { message, ...(hint !== undefined && { help: hint }) });
}
