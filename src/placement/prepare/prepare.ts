// What does a Placement ask for, and is it valid? Everything that can be known without any cluster.
import { whyNotLabelValue, whyNotQualifiedName } from "../../cel/library/kubernetes/format-rules.ts";
import type { Program } from "../../cel/program.ts";
import { textUnder } from "../../model/labels.ts";
import { characterOf, inside, type Place } from "../../model/place.ts";
import { celExpressionPlace, type DecisionGroup, type Placement, type Predicate } from "../../model/placement.ts";
import { groupLength } from "../decide/decision-groups.ts";
import type { Fault } from "../fault.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Mistake } from "../placement-result.ts";
import { type Priorities, prioritiesOf } from "./prioritizer.ts";
import { type ReadSelector, type Requirement, readLabelSelector, readRequirements, unknownWord } from "./selector.ts";
import { vacuousAlls } from "./vacuous-all.ts";

/** A label or claim requirement of a predicate or a decision group. */
export interface RequirementRule extends Requirement {
  readonly kind: "label" | "claim";
  /** Its position among the rules of its kind. */
  readonly index: number;
  readonly place: Place;
}

/** A CEL expression of a predicate. */
export interface ExpressionRule {
  readonly kind: "cel";
  readonly index: number;
  readonly text: string;
  readonly place: Place;
  /** Undefined if it does not compile. */
  readonly program: Program | undefined;
}

/** A rule of a predicate, all of which must hold. */
export type PredicateRule = RequirementRule | ExpressionRule;

/** A named decision group, prepared. */
export interface PreparedGroup {
  readonly name: string;
  /** All of them must hold. */
  readonly rules: readonly RequirementRule[];
  /** Is its selector invalid? */
  readonly isBroken: boolean;
}

/** A Placement, prepared. */
export interface PreparedPlacement extends Priorities {
  readonly placement: Placement;
  /** Alternatives; the rules of each, in the order of evaluation. */
  readonly predicates: readonly (readonly PredicateRule[])[];
  readonly groups: readonly PreparedGroup[];
  readonly warnings: readonly Mistake[];
}

/** Compiles the text of an expression; equal texts give the same. */
export type CompileExpression = (text: string) => {
  readonly program: Program | undefined;
  readonly errors: readonly ExpressionIssue[];
  readonly warnings: readonly ExpressionIssue[];
};

/** What is wrong with the text of an expression. */
export interface ExpressionIssue {
  readonly message: string;
  readonly hint?: string | undefined;
  /** In UTF-16 units from 0. */
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/** Adds a mistake that belongs to no plugin. */
type AddMistake = (place: Place, fault: Fault) => void;

/** Step 1: prepares a Placement. Finds all mistakes, in the order in which OCM would meet them. */
export function preparePlacement(
  placement: Placement,
  mode: PlacementMode,
  compile: CompileExpression,
): PreparedPlacement {
  const warnings: Mistake[] = [];
  const mistakes: Mistake[] = [];
  const addWrong: AddMistake = (place, fault) => mistakes.push({ fault, place, plugin: "" });
  wrongName(placement, addWrong);
  // The API server prunes what it does not know, and OCM never sees it.
  addAll(mode.extendedStatus ? mistakes : warnings, unknownFields(placement));
  const predicates = placement.predicates.map((predicate, index) =>
    preparePredicate(predicate, index, compile, mistakes, warnings),
  );
  addAll(mistakes, wrongTolerations(placement, mode));
  const priorities = prioritiesOf(placement, mode);
  addAll(mistakes, priorities.mistakes);
  wrongNumber(placement, addWrong);
  addAll(mistakes, wrongGroupSize(placement, mode));
  const groups = placement.groupStrategy.decisionGroups.map((group) => prepareGroup(group, mode, mistakes));
  if (mode.extendedStatus) wrongWords(placement, addWrong);
  return { ...priorities, placement, predicates, groups, mistakes: firstOf(mistakes), warnings: firstOf(warnings) };
}

/** A Placement with this annotation set to "true" is not scheduled. */
const DISABLED = "cluster.open-cluster-management.io/experimental-scheduling-disable";

/** Can a score change which clusters are selected? Otherwise all feasible ones are, and scores only order them. */
export function selectsByScore({ numberOfClusters, spreadConstraints }: Placement): boolean {
  return numberOfClusters !== undefined || spreadConstraints.length > 0;
}

/** Is the Placement not scheduled, because it is being deleted or its annotation says so? Its decisions stay as they are. */
export function isIgnored({ terminating, annotations }: Placement): boolean {
  return terminating || textUnder(annotations, DISABLED) === "true";
}

/** How many mistakes, and how many warnings, are reported. */
const MAX_REPORTED = 100;

/** The first, and how many more there are. */
function firstOf(mistakes: readonly Mistake[]): readonly Mistake[] {
  const last = mistakes[MAX_REPORTED];
  if (last === undefined) return mistakes;
  const fault: Fault = { kind: "more", count: mistakes.length - MAX_REPORTED };
  return [...mistakes.slice(0, MAX_REPORTED), { fault, place: last.place, plugin: last.plugin }];
}

/** Adds many: as arguments of one call they could be too many. */
function addAll<Item>(to: Item[], items: readonly Item[]): void {
  for (const item of items) to.push(item);
}

/** Keys that the API does not have: a strict reader refuses them, and what was meant by them does not happen. */
function unknownFields({ unknownFields: fields = [], place }: Placement): Mistake[] {
  return fields.map(({ path, hint }) => ({
    fault: { kind: "unknown-field", path, ...(hint !== undefined && { hint }) },
    place: { ...inside(place, ...path), ofKey: true },
    plugin: "",
  }));
}

const MAX_NAME_LENGTH = 63;

/** A name that cannot be the value of a label can have no PlacementDecision. */
function wrongName({ name, place }: Placement, add: AddMistake): void {
  const why = whyNotLabelValue(name)[0];
  if (why === undefined) return;
  const at = inside(place, "metadata", "name");
  if (name.length > MAX_NAME_LENGTH) add(at, { kind: "long-name", length: name.length, longest: MAX_NAME_LENGTH });
  else add(at, { kind: "label", field: "name", value: name, why });
}

function wrongNumber({ numberOfClusters: value = 0, place }: Placement, add: AddMistake): void {
  if (value < 0) add(inside(place, "spec", "numberOfClusters"), { kind: "negative-number", value });
}

function preparePredicate(
  predicate: Predicate,
  position: number,
  compile: CompileExpression,
  mistakes: Mistake[],
  warnings: Mistake[],
): readonly PredicateRule[] {
  const { labelSelector, claimRequirements, celExpressions } = predicate.requiredClusterSelector;
  const at = inside(predicate.place, "requiredClusterSelector");
  const labels = requirementRules("label", readLabelSelector(labelSelector), at, "Predicate", mistakes);
  const claims = requirementRules("claim", readRequirements(claimRequirements), at, "Predicate", mistakes);
  const expressions = celExpressions.map((text, index): ExpressionRule => {
    const place = celExpressionPlace(predicate, index);
    const { program, errors, warnings: doubts } = compile(text);
    const mistakeOf = ({ message, hint, start, line, column }: ExpressionIssue): Mistake => {
      const issue = { line, column, message, ...(hint !== undefined && { hint }) };
      const fault: Fault = { kind: "expression", predicate: position, index, ...issue };
      return { fault, place: characterOf(place, start), plugin: "Predicate" };
    };
    addAll(mistakes, errors.map(mistakeOf));
    addAll(warnings, [...doubts, ...(program === undefined ? [] : vacuousAlls(program))].map(mistakeOf));
    return { kind: "cel", index, text, place, program };
  });
  return [...labels, ...claims, ...expressions];
}

function prepareGroup(
  { groupName, labelSelector, claimRequirements, place }: DecisionGroup,
  mode: PlacementMode,
  mistakes: Mistake[],
): PreparedGroup {
  const at = inside(place, "groupClusterSelector");
  const why = whyNotLabelValue(groupName)[0];
  if (mode.extendedStatus && (groupName === "" || why !== undefined)) {
    const fault: Fault = { kind: "label", field: "groupName", value: groupName, ...(why !== undefined && { why }) };
    mistakes.push({ fault, place: inside(place, "groupName"), plugin: "DecisionGroup" });
  }
  const labels = readLabelSelector(labelSelector);
  const claims = readRequirements(claimRequirements);
  return {
    name: groupName,
    rules: [
      ...requirementRules("label", labels, at, "DecisionGroup", mistakes),
      ...requirementRules("claim", claims, at, "DecisionGroup", mistakes),
    ],
    isBroken: labels.mistakes.length > 0 || claims.mistakes.length > 0,
  };
}

/** The rules of a selector that is at a place; adds what is wrong with it to `mistakes`. */
function requirementRules(
  kind: "label" | "claim",
  { requirements, mistakes: wrong }: ReadSelector,
  at: Place,
  plugin: Mistake["plugin"],
  mistakes: Mistake[],
): readonly RequirementRule[] {
  const place = inside(at, `${kind}Selector`);
  for (const { fault, steps } of wrong) mistakes.push({ fault, place: inside(place, ...steps), plugin });
  return requirements.map((one, index) => ({ ...one, kind, index, place: inside(place, ...one.steps) }));
}

const OPERATORS = ["Equal", "Exists"];
const EFFECTS = ["NoSelect", "PreferNoSelect", "NoSelectIfNew"];

/** What is wrong with the tolerations; OCM has only the first two. */
function wrongTolerations({ tolerations }: Placement, mode: PlacementMode): Mistake[] {
  return tolerations.flatMap(({ key, operator, value, effect, place }) => {
    const mistakes: Mistake[] = [];
    const add = (field: string, fault: Fault) =>
      mistakes.push({ fault, place: inside(place, field), plugin: "TaintToleration" });
    if (key === "" && operator !== "Exists") add("key", { kind: "toleration-without-key" });
    if (operator === "Exists" && value !== "") add("value", { kind: "toleration-with-value" });
    if (!mode.extendedStatus) return mistakes;
    if (operator !== "" && !OPERATORS.includes(operator)) add("operator", unknownWord("operator", operator, OPERATORS));
    if (effect !== "" && !EFFECTS.includes(effect)) add("effect", unknownWord("effect", effect, EFFECTS));
    return mistakes;
  });
}

/** What the API allows. */
const GROUP_SIZE = /^(?:(?:100|[1-9][0-9]?)%|[1-9][0-9]*)$/;

function wrongGroupSize(placement: Placement, mode: PlacementMode): Mistake[] {
  const size = placement.groupStrategy.clustersPerDecisionGroup;
  const isReadable = groupLength(size, 1, mode) !== undefined;
  if (isReadable && (!mode.extendedStatus || GROUP_SIZE.test(String(size)))) return [];
  const place = inside(placement.place, "spec", "decisionStrategy", "groupStrategy", "clustersPerDecisionGroup");
  return [{ fault: { kind: "group-size", value: size, isReadable }, place, plugin: "DecisionGroup" }];
}

/** Words that the API knows only some of, in fields that OCM does not read. */
function wrongWords(placement: Placement, add: AddMistake): void {
  const oneOf = (place: Place, field: string, value: string, known: readonly string[]) => {
    if (!known.includes(value)) add(inside(place, field), unknownWord(field, value, known));
  };
  const spec = inside(placement.place, "spec");
  oneOf(spec, "sortBy", placement.sortBy, ["ClusterName", "Score"]);
  if (!/^[0-9]{1,9}[hms]$/.test(placement.scoreRateLimit))
    add(inside(spec, "scoreRateLimit"), { kind: "score-rate-limit", value: placement.scoreRateLimit });
  for (const { place, topologyKey, topologyKeyType, maxSkew, whenUnsatisfiable } of placement.spreadConstraints) {
    const why = whyNotQualifiedName(topologyKey)[0];
    if (why !== undefined)
      add(inside(place, "topologyKey"), { kind: "label", field: "topologyKey", value: topologyKey, why });
    oneOf(place, "topologyKeyType", topologyKeyType, ["Label", "Claim"]);
    oneOf(place, "whenUnsatisfiable", whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]);
    if (maxSkew < 1) add(inside(place, "maxSkew"), { kind: "max-skew", value: maxSkew });
  }
  if (placement.spreadConstraints.length > MAX_SPREAD_CONSTRAINTS)
    add(inside(spec, "spreadPolicy"), { kind: "many-spread-constraints", limit: MAX_SPREAD_CONSTRAINTS });
}

const MAX_SPREAD_CONSTRAINTS = 8;
