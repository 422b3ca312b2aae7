// On what can an expression be evaluated? The clusters or bundles of the input, or variables; and which of them a name means.

import type { Bindings } from "../cel/plan/frame.ts";
import { bundleBindings } from "../constraint/bundle-environment.ts";
import type { Catalog, Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { compareText, isList, isObject, type Json, type JsonObject, own } from "../model/json.ts";
import { type Place, printPlace } from "../model/place.ts";
import { clusterBindings } from "../placement/cel/placement-environment.ts";
import { type AddOnScoreOptions, AddOnScores } from "../placement/score/add-on-scores.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { Subject } from "./evaluate.ts";

/** A document of the input, and where it is. */
interface PlacedDocument {
  readonly value: JsonObject;
  readonly place: Place;
}

/** A variable that two documents define. */
export interface DuplicateVariable {
  readonly name: string;
  readonly first: Place;
  readonly second: Place;
}

/** The variables of documents. One that is defined twice is left out: the order of files must not decide. */
export function variablesOf(documents: readonly PlacedDocument[]): {
  readonly values: Readonly<Record<string, Json>>;
  readonly duplicates: readonly DuplicateVariable[];
} {
  const values = new Map<string, Json>();
  const places = new Map<string, Place>();
  const duplicates: DuplicateVariable[] = [];
  for (const { value, place } of documents)
    for (const name of Object.keys(value)) {
      const first = places.get(name);
      if (first === undefined) {
        places.set(name, place);
        values.set(name, value[name] as Json);
      } else {
        duplicates.push({ name, first, second: place });
        values.delete(name);
      }
    }
  return { values: Object.fromEntries(values), duplicates };
}

/** The ManagedClusters, with their scores. */
export function clusterSubjects(
  { managedClusters, addOnPlacementScores }: Pick<ClusterObjects, "managedClusters" | "addOnPlacementScores">,
  options: AddOnScoreOptions,
): readonly Subject[] {
  const scores = AddOnScores.of(addOnPlacementScores, options);
  return managedClusters.map(({ name, object }) => ({ name, bindings: () => clusterBindings(object, scores) }));
}

/** The bundles of catalogs; with several catalogs, their names have the catalog before them. */
export function bundleSubjects(catalogs: readonly Catalog[]): readonly Subject[] {
  return catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap(({ bundles }) =>
      [...bundles.values()].map((bundle) => ({
        name: catalogs.length > 1 ? `${catalog.name}/${bundle.name}` : bundle.name,
        bindings: () => bundleBindings(bundle.properties),
      })),
    ),
  );
}

/** The documents with a list `properties`, by name; a document without a name is called by its place. */
export function propertySubjects(documents: readonly PlacedDocument[]): readonly Subject[] {
  const subjects = documents.flatMap(({ value, place }) => {
    const properties = own(value, "properties");
    const name = own(value, "name");
    if (properties === undefined || !isList(properties)) return [];
    return [
      { name: typeof name === "string" ? name : printPlace(place), bindings: () => propertyBindings(properties) },
    ];
  });
  return subjects.sort((a, b) => compareText(a.name, b.name));
}

/** The bindings of properties that were not validated: an element that is not an object counts as an empty one. */
export function propertyBindings(properties: readonly Json[]): Bindings {
  return bundleBindings(properties.map((property) => (isObject(property) ? property : {}) as unknown as Property));
}

/** The subject to evaluate on, or why it is not clear which one: there are `several`, or none has the name. */
export type SubjectChoice =
  | { readonly kind: "chosen"; readonly subject: Subject }
  /** Without `wanted`: no name was given. */
  | { readonly kind: "several"; readonly wanted?: string; readonly names: readonly string[] }
  | { readonly kind: "unknown"; readonly wanted: string; readonly names: readonly string[]; readonly meant?: string };

/** Chooses a subject by its name, or the only one; `otherwise` is for no subject and no name. */
export function chooseSubject(
  subjects: readonly Subject[],
  wanted: string | undefined,
  otherwise: Subject,
): SubjectChoice {
  const found =
    wanted === undefined ? subjects : subjects.filter(({ name }) => name === wanted || name?.endsWith(`/${wanted}`));
  const [first, second] = found;
  if (second !== undefined) return { kind: "several", ...(wanted !== undefined && { wanted }), names: namesOf(found) };
  if (first !== undefined || wanted === undefined) return { kind: "chosen", subject: first ?? otherwise };
  const names = namesOf(subjects);
  const meant = didYouMean(wanted, names);
  return { kind: "unknown", wanted, names, ...(meant !== undefined && { meant }) };
}

function namesOf(subjects: readonly Subject[]): readonly string[] {
  return subjects.map(({ name = "" }) => name);
}
