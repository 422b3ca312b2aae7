// What is in the library? Everything that needs no files, no network, no clock. It runs in a browser. `plimsoll/node`
// adds files.

export { type Compilation, type CompileOptions, compile } from "./cel/compile.ts";
export { estimateCost } from "./cel/cost/estimate.ts";
export { customFunction as globalFunction, customMember as memberFunction } from "./cel/custom-function.ts";
export { type Dependencies, type DependencyCall, type DependencyPath, dependenciesOf } from "./cel/dependencies.ts";
export { type Environment, type EnvironmentOptions, environment } from "./cel/environment.ts";
export type { Issue } from "./cel/issue.ts";
export { everyLibrary, extensionLibraries, kubernetesLibraries } from "./cel/library/every-library.ts";
export { networkLibrary } from "./cel/library/extension/network.ts";
export { standardLibrary } from "./cel/library/standard/standard.ts";
export type { Library, Overload, Running } from "./cel/library.ts";
export { type Bindings, LimitError, type Limits as EvaluationLimits, type TraceRecord } from "./cel/plan/frame.ts";
export type { Program } from "./cel/program.ts";
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  printType,
  type Shape,
  STRING,
  shaped,
  TIMESTAMP,
  type Type,
  UINT,
} from "./cel/type.ts";
export { Bytes, CelMap, Optional, TypeValue } from "./cel/value/boxes.ts";
export { writeValue } from "./cel/value/describe.ts";
export { Duration } from "./cel/value/duration.ts";
export { Double, double, Uint } from "./cel/value/number.ts";
export { parseTimestamp, Timestamp } from "./cel/value/timestamp.ts";
export { Boxed, CelError, DataError, type Result, type Value } from "./cel/value/value.ts";
export type { Answer, Chosen, Violation } from "./check/answer.ts";
export { check } from "./check/check.ts";
export {
  type BundleRuleOptions,
  bundleBindings,
  bundleEnvironment,
  bundleRule,
} from "./constraint/bundle-environment.ts";
export { type CelRule, celRules } from "./constraint/cel-rules.ts";
export type { Constraint, Requirement, Requirements } from "./constraint/constraint.ts";
export { type ConstraintOptions, ConstraintReader } from "./constraint/read-requirements.ts";
export { checkUpgrade } from "./crd/check-upgrade.ts";
export { compareSchemas } from "./crd/compare/compare-schemas.ts";
export type { SchemaChange, SchemaDifference } from "./crd/compare/difference.ts";
export type { CrdFinding, CrdStatement } from "./crd/finding.ts";
export { CRD_RULES, type CrdCode, type CrdRule, ruleOf } from "./crd/finding-codes.ts";
export { readSchema } from "./crd/schema/read-schema.ts";
export type { ReadSchema, Schema, SchemaFault } from "./crd/schema/schema.ts";
export { readCrdSettings } from "./crd/settings.ts";
export { type ApiUser, type Circumstances, NOTHING_KNOWN, type SeverityChoices } from "./crd/upgrade/circumstances.ts";
export type { ObjectFault, Validator } from "./crd/validate/validator.ts";
export { validatorFor } from "./crd/validate/validator-for.ts";
export { BundleDirectories } from "./input/bundle-directory/bundle-directories.ts";
export { CatalogBuilder, type CatalogIdentity } from "./input/catalog/catalog-builder.ts";
export type { DocumentSink, Reading } from "./input/document.ts";
export { DEFAULT_LIMITS, type Limits } from "./input/limits.ts";
export { locate, type SourcePosition as Spot } from "./input/locate.ts";
export { ObjectsReader } from "./input/objects/read-objects.ts";
export { readRuntimeList } from "./input/objects/runtime-constraints.ts";
export { Documents, readDocuments } from "./input/read-documents.ts";
export { readLock } from "./input/read-lock.ts";
export { readProblem } from "./input/read-problem.ts";
export type {
  Bundle,
  Catalog,
  Channel,
  ChannelEntry,
  Deprecations,
  Dropped,
  Gvk,
  OpaqueDocument,
  Package,
  Property,
  RelatedImage,
} from "./model/catalog.ts";
export { countCatalog, gvkKey } from "./model/catalog.ts";
export type { ClusterObjects, KnownObjects, RejectedObject } from "./model/cluster-objects.ts";
export type { CustomResource, CustomResourceDefinition, CustomResourceVersion } from "./model/custom-resource.ts";
export { customResourceOf, definitionOf } from "./model/definition-of.ts";
export { type Code, type Finding, RULES, type Severity } from "./model/finding.ts";
export type { Json, JsonObject } from "./model/json.ts";
export type { Lock } from "./model/lock.ts";
export type { LostText } from "./model/lost-text.ts";
export { type Path, type Place, printPath, printPlace } from "./model/place.ts";
export {
  type ClusterDefinition,
  type ClusterNode,
  DEFAULT_OPTIONS,
  type Installed,
  type Problem,
  type Request,
  type ResolveOptions,
} from "./model/problem.ts";
export {
  clusterBindings,
  evaluateOnCluster,
  placementEnvironment,
  placementExpression,
} from "./placement/cel/placement-environment.ts";
export {
  type MovedCluster,
  type PlacementAnswers,
  type PlacementChange,
  placementChanges,
  type RemovalLimit,
  readRemovalLimit,
} from "./placement/compare/placement-change.ts";
export {
  type FleetChange,
  type FleetObjects,
  PlacementEngine,
  type PlacingOptions,
  placeAll,
} from "./placement/engine.ts";
export type { Fault, UnusableSet } from "./placement/fault.ts";
export {
  type AggregatedScore,
  type DebuggedEngine,
  type DebugReport,
  debugReport,
  type FaultMessage,
  type FilterResult,
  type PrioritizeResult,
} from "./placement/ocm/debug.ts";
export {
  type AccessReview,
  answerDebugRequest,
  type DebugAnswer,
  type DebugRequest,
  type DebugSources,
  type DebugUser,
  type SimulatingEngine,
} from "./placement/ocm/debug-request.ts";
export {
  type EventNote,
  type EventReason,
  type EventsQuestion,
  eventsOf,
  type ObjectReference,
  type PlacementEvent,
} from "./placement/placement-events.ts";
export { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "./placement/placement-mode.ts";
export type {
  Check,
  CheckKind,
  ClusterReason,
  ClusterReport,
  Group,
  Mistake,
  Outcome,
  PlacementAnswer,
  PlacementCondition,
  PlacementDecisions,
  PlacementOutcome,
  PlacementResult,
  ScoreDetail,
  ScorePart,
  Slice,
  Tally,
  Verdict as ClusterVerdict,
} from "./placement/placement-result.ts";
export { type AddOnScoreOptions, AddOnScores, type ScoreEntry } from "./placement/score/add-on-scores.ts";
export type { SliceWrite } from "./placement/write/safe-write-order.ts";
export type { SliceWrites } from "./placement/write/writes.ts";
export { compareWithLock, compareWithLockedGeneration } from "./plan/lock/compare-lock.ts";
export { makeLock } from "./plan/lock/make-lock.ts";
export { printLock } from "./plan/lock/print-lock.ts";
export { makePlan } from "./plan/make-plan.ts";
export {
  type Action,
  type ActionDetail,
  type ActionVerb,
  type Because,
  type Breach,
  type BundleRef,
  type ChangeReason,
  DEFAULT_PLAN_OPTIONS,
  type Generation,
  type OperatorChange,
  type Orphan,
  type OrphanNeed,
  type Plan,
  type PlanEnd,
  type PlanOptions,
  type Step,
  type Target,
} from "./plan/plan.ts";
export { countText, findingText, type ShownFinding } from "./render/finding/finding-text.ts";
export type { OutputLook } from "./render/kit/look.ts";
export { FORMATS, type Format } from "./render/output-formats.ts";
export { decisionManifests, placementDecisions } from "./render/placement/decisions.ts";
export {
  needsReports,
  placementPieces,
  renderPlacementExplanation,
  renderPlacements,
} from "./render/placement/render-placement.ts";
export { placementExplanation, placementReport } from "./render/placement/report.ts";
export { placesOf, type ShownPlacement, type ShownPlacements } from "./render/placement/shown.ts";
export { crdHelp, crdMessage, crdWhy } from "./render/sentence/crd.ts";
export { bodyText } from "./render/sentence/explanation-body.ts";
export { fixText } from "./render/sentence/fix.ts";
export { byName, byVersion, type Naming } from "./render/sentence/names.ts";
export { faultText as objectFaultText, undecidedText } from "./render/sentence/object-fault.ts";
export { checkText, ruleText, scoreText } from "./render/sentence/placement-check.ts";
export { faultMessage, faultText } from "./render/sentence/placement-fault.ts";
export { clusterReasonText } from "./render/sentence/placement-reason.ts";
export { eventNote, statusCondition } from "./render/sentence/placement-status.ts";
export { reasonText } from "./render/sentence/reason.ts";
export { schemaChangeText } from "./render/sentence/schema-change.ts";
export { schemaFaultText } from "./render/sentence/schema-fault.ts";
export { warningText } from "./render/sentence/warning.ts";
export { afterOthers } from "./resolve/cluster-state.ts";
export { type ExplainingAnswer, explainAnswer } from "./resolve/explain/explain-answer.ts";
export type { Fact } from "./resolve/explain/fact.ts";
export type { Topic } from "./resolve/explain/found-answer.ts";
export type { Preferred } from "./resolve/explain/preferred.ts";
export { type ExplainOptions, explain, type SubjectExplanation, type Verdict } from "./resolve/explain/subject.ts";
export type { Loss, NeedingOperator } from "./resolve/explain/who-needs.ts";
export type { Try } from "./resolve/explain/why-absent.ts";
export { namespacesWithSubscriptions } from "./resolve/prepare/asked-namespaces.ts";
export { parseNamedRequest } from "./resolve/prepare/named-request.ts";
export { prepareProblems } from "./resolve/prepare/prepare-problems.ts";
export type { Given, NamedRequest, Prepared } from "./resolve/prepare/problem-inputs.ts";
export { saveProblem } from "./resolve/prepare/save-problem.ts";
export type { Explanation, Fix, Resolution, ResolvedOperator } from "./resolve/resolution.ts";
export { Resolver, resolve } from "./resolve/resolve.ts";
export { WrongAnswer } from "./resolve/solution.ts";
export type { Warning } from "./resolve/warning.ts";
export { type Change, changed } from "./resolve/what-if.ts";
export { type Comparator, inRange, parseRange, type Range } from "./semver/blang-range.ts";
export { parseConstraint, satisfies, type VersionConstraint } from "./semver/masterminds-range.ts";
export { parseClusterVersion, parseTolerant } from "./semver/tolerant.ts";
export { compareVersions, compareWithBuild, parseVersion, printVersion, type Version } from "./semver/version.ts";
