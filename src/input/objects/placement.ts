// How is a Placement read? Field by field, with the defaults of the API server.

import { type JsonObject, own, partOf } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import type {
  ClusterSelector,
  DecisionGroup,
  Placement,
  Predicate,
  PrioritizerConfiguration,
  ScoreCoordinate,
  SpreadConstraint,
  Toleration,
} from "../../model/placement.ts";
import { strangeKeys } from "../shape.ts";
import {
  givenPartOf,
  numberOf,
  partsOf,
  requirementsOf,
  selectorOf,
  textFields,
  textMapOf,
  textOf,
  textsOf,
} from "./fields.ts";
import { identityOf, isTerminating, type ObjectKind, specOf, statusOf } from "./object-kind.ts";
import { PLACEMENT_SHAPE, PLACEMENT_SPEC } from "./placement-shape.ts";
import { warnTime } from "./probable-mistakes.ts";

function unknownFieldsOf(spec: JsonObject): Pick<Placement, "unknownFields"> {
  const unknownFields = strangeKeys(spec, PLACEMENT_SPEC, ["spec"]);
  return unknownFields.length === 0 ? {} : { unknownFields };
}

/** OCM's Placement. */
export const PLACEMENT: ObjectKind<Placement> = {
  kind: "Placement",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta1"],
  namespaced: true,
  missingNamespace: "reported",
  naming: "DNS subdomain",
  shape: PLACEMENT_SHAPE,
  build(given) {
    const spec = specOf(given);
    const policy = partOf(spec, "prioritizerPolicy");
    const strategy = partOf(partOf(spec, "decisionStrategy"), "groupStrategy");
    const size = own(strategy, "clustersPerDecisionGroup");
    const lastScoreUpdateTime = textOf(statusOf(given), "lastScoreUpdateTime");
    warnTime(given, ["status", "lastScoreUpdateTime"], lastScoreUpdateTime, "scores count as never written");
    /** Reads every object of a list, each with its own place. */
    const each = <Item>(from: JsonObject, steps: readonly string[], read: (item: JsonObject, place: Place) => Item) =>
      partsOf(from, steps.at(-1) as string).map((item, index) =>
        read(item, inside(given.place, "spec", ...steps, index)),
      );
    return {
      ...identityOf(given),
      annotations: textMapOf(given.metadata, "annotations"),
      generation: numberOf(given.metadata, "generation") ?? 0,
      clusterSets: textsOf(spec, "clusterSets"),
      numberOfClusters: numberOf(spec, "numberOfClusters"),
      predicates: each(spec, ["predicates"], readPredicate),
      prioritizerPolicy: {
        mode: textOf(policy, "mode") ?? "Additive",
        configurations: each(policy, ["prioritizerPolicy", "configurations"], readConfiguration),
      },
      spreadConstraints: each(partOf(spec, "spreadPolicy"), ["spreadPolicy", "spreadConstraints"], readSpread),
      tolerations: each(spec, ["tolerations"], readToleration),
      groupStrategy: {
        decisionGroups: each(strategy, ["decisionStrategy", "groupStrategy", "decisionGroups"], readGroup),
        clustersPerDecisionGroup: typeof size === "number" || typeof size === "string" ? size : "100%",
      },
      sortBy: textOf(spec, "sortBy") ?? "ClusterName",
      ...unknownFieldsOf(spec),
      scoreRateLimit: textOf(spec, "scoreRateLimit") ?? "1m",
      lastScoreUpdateTime,
      terminating: isTerminating(given),
    };
  },
};

function readPredicate(predicate: JsonObject, place: Place): Predicate {
  const selector = partOf(predicate, "requiredClusterSelector");
  const celExpressions = textsOf(partOf(selector, "celSelector"), "celExpressions");
  return { place, requiredClusterSelector: { ...readLabelsAndClaims(selector), celExpressions } };
}

function readConfiguration(configuration: JsonObject, place: Place): PrioritizerConfiguration {
  const coordinate = givenPartOf(configuration, "scoreCoordinate");
  return {
    place,
    scoreCoordinate: coordinate && readCoordinate(coordinate),
    weight: numberOf(configuration, "weight") ?? 1,
  };
}

function readCoordinate(coordinate: JsonObject): ScoreCoordinate {
  const addOn = givenPartOf(coordinate, "addOn");
  return {
    type: textOf(coordinate, "type") ?? "BuiltIn",
    builtIn: textOf(coordinate, "builtIn"),
    addOn: addOn && textFields(addOn, "resourceName", "scoreName"),
  };
}

function readSpread(constraint: JsonObject, place: Place): SpreadConstraint {
  return {
    place,
    ...textFields(constraint, "topologyKey", "topologyKeyType"),
    maxSkew: numberOf(constraint, "maxSkew") ?? 1,
    whenUnsatisfiable: textOf(constraint, "whenUnsatisfiable") ?? "ScheduleAnyway",
  };
}

function readToleration(toleration: JsonObject, place: Place): Toleration {
  return {
    place,
    ...textFields(toleration, "key", "value", "effect"),
    operator: textOf(toleration, "operator") ?? "Equal",
    tolerationSeconds: numberOf(toleration, "tolerationSeconds"),
  };
}

function readGroup(group: JsonObject, place: Place): DecisionGroup {
  return {
    place,
    groupName: textOf(group, "groupName") ?? "",
    ...readLabelsAndClaims(partOf(group, "groupClusterSelector")),
  };
}

function readLabelsAndClaims(selector: JsonObject): Pick<ClusterSelector, "labelSelector" | "claimRequirements"> {
  return {
    labelSelector: selectorOf(selector, "labelSelector"),
    claimRequirements: requirementsOf(partOf(selector, "claimSelector")),
  };
}
