// What does a Placement ask for, and is it well said? Everything that can be known before any cluster is looked at.
import { whyNotLabelValue, whyNotQualifiedName } from "../../cel/library/kubernetes/format-rules.ts";
import type { Program } from "../../cel/program.ts";
import { textUnder } from "../../model/labels.ts";
import { characterOf, inside, type Place, printPath } from "../../model/place.ts";
import { celExpressionPlace, type DecisionGroup, type Placement, type Predicate } from "../../model/placement.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { groupLength } from "../decide/decision-groups.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Mistake } from "../placement-result.ts";
import { type Priorities, prioritiesOf } from "./prioritizer.ts";
import { quoted, type ReadSelector, type Requirement, readLabelSelector, readRequirements } from "./selector.ts";
import { vacuousAlls } from "./vacuous-all.ts";

/** An expression of a predicate, compiled. */
export interface PreparedExpression {
  readonly text: string;
  readonly place: Place;
  /** Undefined if it does not compile. */
  readonly program: Program | undefined;
}

/** A line of a selector, and where it stands. */
export interface PlacedRequirement extends Requirement {
  readonly place: Place;
}

/** A predicate, ready to be asked. */
export interface PreparedPredicate {
  readonly labels: readonly PlacedRequirement[];
  readonly claims: readonly PlacedRequirement[];
  readonly expressions: readonly PreparedExpression[];
}

/** A named decision group, ready to be asked. */
export interface PreparedGroup {
  readonly name: string;
  readonly labels: readonly Requirement[];
  readonly claims: readonly Requirement[];
  /** Can nobody tell which clusters it takes? */
  readonly isBroken: boolean;
}

/** A Placement, ready to be asked. */
export interface PreparedPlacement extends Priorities {
  readonly placement: Placement;
  readonly predicates: readonly PreparedPredicate[];
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

/** Prepares a Placement. All mistakes are found, in the order in which OCM would meet them. */
export function preparePlacement(
  placement: Placement,
  mode: PlacementMode,
  compile: CompileExpression,
): PreparedPlacement {
  const warnings: Mistake[] = [];
  const mistakes: Mistake[] = wrongName(placement);
  // The API server prunes what it does not know, and OCM never sees it.
  addAll(mode.extendedStatus ? mistakes : warnings, unknownFields(placement));
  const predicates = placement.predicates.map((predicate, index) =>
    preparePredicate(predicate, index, compile, mistakes, warnings),
  );
  addAll(mistakes, wrongTolerations(placement, mode));
  const priorities = prioritiesOf(placement, mode);
  addAll(mistakes, priorities.mistakes);
  addAll(mistakes, wrongNumber(placement));
  addAll(mistakes, wrongGroupSize(placement, mode));
  const groups = placement.groupStrategy.decisionGroups.map((group) => prepareGroup(group, mode, mistakes));
  if (mode.extendedStatus) addAll(mistakes, wrongWords(placement));
  return { ...priorities, placement, predicates, groups, mistakes: firstOf(mistakes), warnings: firstOf(warnings) };
}

/** A Placement with this annotation set to "true" is not scheduled. */
const DISABLED = "cluster.open-cluster-management.io/experimental-scheduling-disable";

/** Is the Placement not scheduled, because it is being deleted or its annotation says so? Its decisions stay as they are. */
export function isIgnored({ terminating, annotations }: Placement): boolean {
  return terminating || textUnder(annotations, DISABLED) === "true";
}

/** So many are told, of mistakes and of warnings. */
const MAX_REPORTED = 100;

/** The first, and how many more there are. */
function firstOf(mistakes: readonly Mistake[]): readonly Mistake[] {
  const last = mistakes[MAX_REPORTED];
  if (last === undefined) return mistakes;
  const message = `and ${mistakes.length - MAX_REPORTED} more`;
  return [...mistakes.slice(0, MAX_REPORTED), { message, place: last.place, plugin: last.plugin }];
}

/** Adds many: as arguments of one call they could be too many. */
function addAll<Item>(to: Item[], items: readonly Item[]): void {
  for (const item of items) to.push(item);
}

/** Keys that the API does not have: a strict reader refuses them, and what was meant by them does not happen. */
function unknownFields({ unknownFields: fields = [], place }: Placement): Mistake[] {
  return fields.map(({ path, hint }) => ({
    message: `unknown field ${quoted(printPath(path))}`,
    hint,
    place: { ...inside(place, ...path), ofKey: true },
    plugin: "",
  }));
}

const MAX_NAME_LENGTH = 63;

/** A name that cannot be the value of a label can have no PlacementDecision. */
function wrongName({ name, place }: Placement): Mistake[] {
  const wrong = whyNotLabelValue(name)[0];
  if (wrong === undefined) return [];
  const at = inside(place, "metadata", "name");
  if (name.length > MAX_NAME_LENGTH) {
    const message = `the name has ${name.length} characters, and its PlacementDecisions cannot carry more than ${MAX_NAME_LENGTH} in a label`;
    return [{ message, hint: "choose a shorter name", place: at, plugin: "" }];
  }
  return [{ message: `the name ${quoted(name)} cannot stand in a label: ${wrong}`, place: at, plugin: "" }];
}

function wrongNumber({ numberOfClusters, place }: Placement): Mistake[] {
  if (numberOfClusters === undefined || numberOfClusters >= 0) return [];
  const message = `numberOfClusters is ${numberOfClusters}, and cannot be negative`;
  const hint = "leave it out to select every cluster that matches";
  return [{ message, hint, place: inside(place, "spec", "numberOfClusters"), plugin: "" }];
}

function preparePredicate(
  predicate: Predicate,
  position: number,
  compile: CompileExpression,
  mistakes: Mistake[],
  warnings: Mistake[],
): PreparedPredicate {
  const { labelSelector, claimRequirements, celExpressions } = predicate.requiredClusterSelector;
  const at = inside(predicate.place, "requiredClusterSelector");
  const labels = requirementsOf(readLabelSelector(labelSelector), inside(at, "labelSelector"), "Predicate", mistakes);
  const claims = requirementsOf(
    readRequirements(claimRequirements),
    inside(at, "claimSelector"),
    "Predicate",
    mistakes,
  );
  const expressions = celExpressions.map((text, index) => {
    const place = celExpressionPlace(predicate, index);
    const { program, errors, warnings: doubts } = compile(text);
    const told = ({ message, hint, start, line, column }: ExpressionIssue): Mistake => {
      const where = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
      return {
        message: `predicates[${position}].celExpressions[${index}], ${where}: ${message}`,
        hint,
        place: characterOf(place, start),
        plugin: "Predicate",
      };
    };
    addAll(mistakes, errors.map(told));
    addAll(warnings, [...doubts, ...(program === undefined ? [] : vacuousAlls(program))].map(told));
    return { text, place, program };
  });
  return { labels, claims, expressions };
}

function prepareGroup(
  { groupName, labelSelector, claimRequirements, place }: DecisionGroup,
  mode: PlacementMode,
  mistakes: Mistake[],
): PreparedGroup {
  const at = inside(place, "groupClusterSelector");
  const wrong = mode.extendedStatus && (groupName === "" ? "it is empty" : whyNotLabelValue(groupName)[0]);
  if (typeof wrong === "string") {
    const message = `the groupName ${quoted(groupName)} cannot stand in a label: ${wrong}`;
    mistakes.push({ message, place: inside(place, "groupName"), plugin: "DecisionGroup" });
  }
  const labels = readLabelSelector(labelSelector);
  const claims = readRequirements(claimRequirements);
  return {
    name: groupName,
    labels: requirementsOf(labels, inside(at, "labelSelector"), "DecisionGroup", mistakes),
    claims: requirementsOf(claims, inside(at, "claimSelector"), "DecisionGroup", mistakes),
    isBroken: labels.mistakes.length > 0 || claims.mistakes.length > 0,
  };
}

function requirementsOf(
  { requirements, mistakes: wrong }: ReadSelector,
  place: Place,
  plugin: Mistake["plugin"],
  mistakes: Mistake[],
): readonly PlacedRequirement[] {
  for (const { message, hint, steps } of wrong)
    mistakes.push({ message, hint, place: inside(place, ...steps), plugin });
  return requirements.map((requirement) => ({ ...requirement, place: inside(place, ...requirement.steps) }));
}

const OPERATORS = ["Equal", "Exists"];
const EFFECTS = ["NoSelect", "PreferNoSelect", "NoSelectIfNew"];

/** What is wrong with the tolerations, the first two in OCM's words. */
function wrongTolerations({ tolerations }: Placement, mode: PlacementMode): Mistake[] {
  return tolerations.flatMap(({ key, operator, value, effect, place }) => {
    const mistakes: Mistake[] = [];
    const add = (field: string, message: string, hint?: string) =>
      mistakes.push({ message, hint, place: inside(place, field), plugin: "TaintToleration" });
    if (key === "" && operator !== "Exists") add("key", "If the key is empty, operator must be Exists.");
    if (operator === "Exists" && value !== "") add("value", "If the operator is Exists, the value should be empty.");
    if (!mode.extendedStatus) return mistakes;
    if (operator !== "" && !OPERATORS.includes(operator)) add("operator", ...unknown("operator", operator, OPERATORS));
    if (effect !== "" && !EFFECTS.includes(effect)) add("effect", ...unknown("effect", effect, EFFECTS));
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
  const written = typeof size === "number" ? String(size) : quoted(size);
  const wrong = isReadable
    ? "which is neither a number from 1 nor a share from 1% to 100%"
    : "which is neither a number nor a percentage";
  const message = `clustersPerDecisionGroup is ${written}, ${wrong}`;
  const hint = /^[1-9][0-9]*$/.test(String(size))
    ? "write the number without quotes"
    : "write a number such as 10, or a share such as 25%";
  return [{ message, hint, place, plugin: "DecisionGroup" }];
}

/** Words that the API knows only some of, in fields that OCM does not read. */
function wrongWords(placement: Placement): Mistake[] {
  const mistakes: Mistake[] = [];
  const add = (place: Place, message: string, hint?: string) => mistakes.push({ message, hint, place, plugin: "" });
  const oneOf = (place: Place, name: string, value: string, known: readonly string[]) => {
    if (!known.includes(value)) add(place, ...unknown(name, value, known));
  };
  const spec = inside(placement.place, "spec");
  oneOf(inside(spec, "sortBy"), "sortBy", placement.sortBy, ["ClusterName", "Score"]);
  if (!/^[0-9]{1,9}[hms]$/.test(placement.scoreRateLimit))
    add(
      inside(spec, "scoreRateLimit"),
      `scoreRateLimit is ${quoted(placement.scoreRateLimit)}, which is not a time`,
      "write a number and h, m or s, such as 30s",
    );
  for (const { place, topologyKey, topologyKeyType, maxSkew, whenUnsatisfiable } of placement.spreadConstraints) {
    const wrong = whyNotQualifiedName(topologyKey)[0];
    if (wrong !== undefined)
      add(inside(place, "topologyKey"), `the topologyKey ${quoted(topologyKey)} cannot be that of a label: ${wrong}`);
    oneOf(inside(place, "topologyKeyType"), "topologyKeyType", topologyKeyType, ["Label", "Claim"]);
    oneOf(inside(place, "whenUnsatisfiable"), "whenUnsatisfiable", whenUnsatisfiable, [
      "DoNotSchedule",
      "ScheduleAnyway",
    ]);
    if (maxSkew < 1) add(inside(place, "maxSkew"), `maxSkew is ${maxSkew}, and must be at least 1`);
  }
  if (placement.spreadConstraints.length > MAX_SPREAD_CONSTRAINTS)
    add(inside(spec, "spreadPolicy"), `there are more than ${MAX_SPREAD_CONSTRAINTS} spreadConstraints`);
  return mistakes;
}

const MAX_SPREAD_CONSTRAINTS = 8;

function unknown(name: string, value: string, known: readonly string[]): [message: string, hint: string] {
  const meant = didYouMean(value, known);
  const hint = meant === undefined ? `it is one of ${known.join(", ")}` : `did you mean ${meant}?`;
  return [`the ${name} ${quoted(value)} is not known`, hint];
}
