// Which types do the values of `plimsoll` take and return? All of them, so that a program can name each. Those of expressions are
// in `plimsoll/cel`.

export type { BundleRuleOptions } from "./constraint/bundle-environment.ts";
export type {
  CelConstraint,
  CompoundConstraint,
  Constraint,
  Correction,
  GvkConstraint,
  LabelConstraint,
  LeafConstraint,
  PackageConstraint,
  PropertyEqualsConstraint,
  Requirement,
  RuntimeConstraint,
  Scope as CompoundScope,
} from "./constraint/constraint.ts";
export type { CompoundOutline, LeafOutline, Outline } from "./constraint/outline.ts";
export type { RequiredProperty } from "./constraint/plain-rule.ts";
export type { RequiredVersion } from "./constraint/version-rule.ts";
export type { RuleFaultDetail, RuleText } from "./crd/cel-rules/check-rules.ts";
export type { OptionWithoutEffect } from "./crd/check-definitions.ts";
export type {
  FieldSchema,
  NumberBound,
  SchemaChange,
  SchemaDifference,
  SizeKeyword,
} from "./crd/compare/difference.ts";
export type { Listing } from "./crd/compare/value-text.ts";
export type {
  CrdDetails,
  CrdFinding,
  CrdStatement,
  CrdSubject,
  LostVersion,
  QuotedValue,
  SchemaDetail,
  StatementOf,
  VersionPair,
} from "./crd/finding.ts";
export type { CrdCode, SchemaCode } from "./crd/finding-codes.ts";
export type { CheckedDefinition, UncomparedDefinition, VersionChange, VersionState } from "./crd/report.ts";
export type { Loss as RewriteLoss } from "./crd/rewrite-loss.ts";
export type { KeywordValue, SchemaFault, SchemaFaultDetail } from "./crd/schema/schema.ts";
export type { ApiUser } from "./crd/upgrade/circumstances.ts";
export type { Kind as ValueKind } from "./crd/validate/expectation.ts";
export type { FaultDetail, MetadataShape, NumberRange, UndecidedReason } from "./crd/validate/fault.ts";
export type { ShownValue } from "./crd/validate/value-text.ts";
export type { CrdVerdict } from "./crd/verdict.ts";
export type { Limits } from "./input/limits.ts";
export type { SourcePosition } from "./input/locate.ts";
export type { CrdAnswer, CrdProblem, CrdQuestion } from "./job/check-crd.ts";
export type { InputFinding } from "./job/exact-places.ts";
export type { ExplainAnswer, ExplainQuestion } from "./job/explain.ts";
export type { LintAnswer } from "./job/lint.ts";
export type { PlaceAnswer, PlacedClusters, PlaceQuestion } from "./job/place.ts";
export type { PlanAnswer, PlanQuestion } from "./job/plan.ts";
export type { OperatorQuestion } from "./job/question.ts";
export type { Answer, AnswerFormat, RenderOptions } from "./job/render.ts";
export type { ResolveAnswer } from "./job/resolve.ts";
export type {
  CatalogInput,
  CatalogText,
  NamedText,
  ObjectsInput,
  ReadObjects,
  ReadObjectsOptions,
  TextInput,
} from "./job/text-input.ts";
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
export type { CatalogSource, ClusterCatalog } from "./model/catalog-source.ts";
export type { ClusterExtension, InstalledBundle } from "./model/cluster-extension.ts";
export type { ClusterObjects, KnownObjects, RejectedObject, UnreadMention } from "./model/cluster-objects.ts";
export type { ManagedClusterSet, ManagedClusterSetBinding } from "./model/cluster-set.ts";
export type { Condition } from "./model/condition.ts";
export type { ConfigMap } from "./model/config-map.ts";
export type { CustomResource, CustomResourceDefinition, CustomResourceVersion } from "./model/custom-resource.ts";
export type { Code as FindingCode, Finding, FindingRule, Severity } from "./model/finding.ts";
export type { InstallPlan, InstallStep } from "./model/install-plan.ts";
export type { ApiDescription, ApiDescriptions, InstalledOperator, InstallMode } from "./model/installed-operator.ts";
export type { Json, JsonObject } from "./model/json.ts";
export type { TextMap } from "./model/labels.ts";
export type { LostText } from "./model/lost-text.ts";
export type { ClusterClaim, ManagedCluster, Quantities, Taint } from "./model/managed-cluster.ts";
export type { NamedObject, NamespacedObject } from "./model/object.ts";
export type { ObjectReference } from "./model/object-reference.ts";
export type { OperatorCondition } from "./model/operator-condition.ts";
export type { OperatorGroup } from "./model/operator-group.ts";
export type { ExtensionRef, OperatorRef, RequestIdentity, RequestRef } from "./model/operator-ref.ts";
export type { Path, Place } from "./model/place.ts";
export type {
  AddOnScore,
  ClusterSelector,
  DecisionGroup,
  GroupStrategy,
  Placement,
  Predicate as PlacementPredicate,
  PrioritizerConfiguration,
  PrioritizerPolicy,
  ScoreCoordinate,
  SpreadConstraint,
  Toleration,
  UnknownField,
} from "./model/placement.ts";
export type { ClusterDecision, PlacementDecision } from "./model/placement-decision.ts";
export type { AddOnPlacementScore, ClusterScore } from "./model/placement-score.ts";
export type {
  CatalogName,
  ExtensionTerms,
  Hold as HoldReason,
  Installed,
  KindInUse,
  MalformedField,
  Request as RequestedPackage,
  ResolveOptions,
  UnavailableCatalog,
} from "./model/problem.ts";
export type { LabelSelector, RequirementFault, SelectorRequirement } from "./model/selector.ts";
export type { Approval, Subscription } from "./model/subscription.ts";
export type { WantedFields } from "./placement/cel/managed-cluster-value.ts";
export type { Basis, MovedCluster, PlacementChange, RemovalLimit } from "./placement/compare/placement-change.ts";
export type { AffectedPlacements, FleetChange, FleetObjects, PlacingOptions } from "./placement/engine.ts";
export type { Fault, SelectorFault, UnknownWord, UnreadScoreName, UnusableSet } from "./placement/fault.ts";
export type {
  AggregatedScore,
  DebuggedEngine,
  DebugReport,
  FaultMessage,
  FilterResult,
  PrioritizeResult,
} from "./placement/ocm/debug.ts";
export type {
  AccessReview,
  DebugAnswer,
  DebugRequest,
  DebugSources,
  DebugUser,
  SimulatingEngine,
} from "./placement/ocm/debug-request.ts";
export type {
  DecisionWarning,
  EventNote,
  EventReason,
  EventsQuestion,
  PlacementEvent,
} from "./placement/placement-events.ts";
export type { PlacementMode, ScoredDecisions } from "./placement/placement-mode.ts";
export type { PlacementName } from "./placement/placement-name.ts";
export type {
  CelCheck,
  CelDetail,
  Check as ClusterCheck,
  ClusterReason,
  ClusterReport,
  ConditionMessage,
  Cut as CutText,
  Failure,
  FirstFaults,
  Group as ClusterGroup,
  Mistake,
  Outcome as CheckOutcome,
  PlacementCondition,
  PlacementDecisions,
  PlacementOutcome,
  PlacementResult,
  ReadValue,
  ScoreDetail,
  ScorePart,
  SetCheck,
  Slice as DecisionSlice,
  SpreadCheck,
  SpreadCounts,
  TaintCheck,
  TaintCount,
  Tally,
  Tolerance,
  UnreadScoresFound,
  ValueCheck,
  Verdict as ClusterVerdict,
} from "./placement/placement-result.ts";
export type { CheckOptions } from "./placement/report/cluster-checks.ts";
export type { ReportOptions } from "./placement/report/cluster-report.ts";
export type { AddOnScoreOptions, AddOnScores, ScoreEntry, ScoreLookup } from "./placement/score/add-on-scores.ts";
export type { TieBreak } from "./placement/select/tie-break.ts";
export type { SliceWrite } from "./placement/write/safe-write-order.ts";
export type { SliceWrites } from "./placement/write/writes.ts";
export type { Generation, Orphan, OrphanNeed, Plan, PlanEnd, PlanOptions, PlanOutcome, Target } from "./plan/plan.ts";
export type { Format } from "./render/output-formats.ts";
export type { GoneOperator } from "./render/resolve/shown.ts";
export type { NoCandidates } from "./resolve/candidates.ts";
export type { Advice } from "./resolve/explain/advice.ts";
export type {
  StayOrMoveCause,
  StaysCause,
  UnavailableCause,
  UnservedCause,
  WantedCause,
  WantedKind,
} from "./resolve/explain/cause.ts";
export type { ClosestState, ExplanationBody, Note, UnreadByOlmV1 } from "./resolve/explain/explanation-body.ts";
export type {
  Case as ExplanationCase,
  Conclusion,
  Declaration,
  Demanded,
  DemandFact,
  ExplainedOperator,
  Fact,
  Facts,
  Meeting,
  Mentioned,
  Missing as MissingThing,
  NearMiss,
  NoCandidatesFact,
  NoWayFact,
  Offer,
  OnePerFact,
  OperatorId,
  Proof as ExplanationProof,
  RefusalFact,
  RequestFact,
  StayOrMoveFact,
  StaysFact,
  Step as ExplanationStep,
  UnservedFact,
  WantedFact,
} from "./resolve/explain/fact.ts";
export type { AskedAbout } from "./resolve/explain/found-answer.ts";
export type { MetNeed, Preferred, WorseCandidate } from "./resolve/explain/preferred.ts";
export type { Remedy } from "./resolve/explain/remedies.ts";
export type { Deprecated, SubjectExplanation, Verdict as SubjectVerdict } from "./resolve/explain/subject.ts";
export type { AlsoMeeting, Loss, NeedingOperator } from "./resolve/explain/who-needs.ts";
export type { SkippedIn, Try as RequestToTry } from "./resolve/explain/why-absent.ts";
export type { ChosenNeed, ChosenRoot } from "./resolve/explain/why-chosen.ts";
export type { LostPart } from "./resolve/lost-parts.ts";
export type { Demanded as NamedDemand, Listed, ShortDemand } from "./resolve/needs.ts";
export type { OlmV1Filters, OlmV1Refusal } from "./resolve/olmv1/choose.ts";
export type { EmptyNamespace } from "./resolve/prepare/asked-namespaces.ts";
export type { NamedRequest } from "./resolve/prepare/problem-inputs.ts";
export type {
  AwaitedUpdate,
  BetterChoice,
  ChoiceReason,
  DependencyReason,
  Reason,
  StayReason,
} from "./resolve/reason.ts";
export type {
  Explanation,
  Fix,
  GeneratedSubscription,
  HeldBack,
  Objective,
  ObjectiveName,
  OptionalNotMet,
  Origin,
  Outcome,
  PackageChange,
  PendingApproval,
  Resolution,
  ResolvedOperator,
  Statistics,
  Unsatisfied,
} from "./resolve/resolution.ts";
export type {
  BrokenOutcome,
  ChainFault,
  InputWarning,
  RequestWarning,
  UnknownName,
  Warning,
} from "./resolve/warning.ts";
export type { Change } from "./resolve/what-if.ts";
export type { CrdObjection, CrdRemedy, CrdUpgradeDetail } from "./rule/crd-upgrade.ts";
export type { DeprecationDetail } from "./rule/deprecation.ts";
export type { FeatureGateDetail } from "./rule/feature-gate.ts";
export type { InstallModeDetail } from "./rule/install-mode.ts";
export type { MalformedConstraintDetail } from "./rule/malformed-constraint.ts";
export type { OneBundleDetail } from "./rule/one-bundle.ts";
export type { OneProviderDetail } from "./rule/one-provider.ts";
export type { PlatformNote, PlatformVersionDetail } from "./rule/platform-version.ts";
export type { RequirementDetail, RequirementName } from "./rule/requirement.ts";
export type { BrokenRule, Detail as RuleDetail, Refusal, RuleName } from "./rule/rules.ts";
export type { RuntimeConstraintDetail } from "./rule/runtime-constraint.ts";
export type { Declaration as DeclaredFact } from "./rule/shape/lift.ts";
export type { SubscriptionDetail } from "./rule/subscription.ts";
export type { EdgeKind, WhyStays } from "./rule/upgrade-edge.ts";
export type { SolverStatistics } from "./sat/solver.ts";
export type { Operator as RangeOperator } from "./semver/blang-element.ts";
export type { Comparator, Range as VersionRange, RangeOutline } from "./semver/blang-range.ts";
export type { Identifier as VersionIdentifier } from "./semver/identifier.ts";
export type { ConstraintComparator, ConstraintOperator } from "./semver/masterminds-operator.ts";
export type { Open as OpenPart, Pattern as VersionPattern } from "./semver/masterminds-pattern.ts";
export type { Alternative as ConstraintAlternative, VersionConstraint } from "./semver/masterminds-range.ts";
export type { Version } from "./semver/version.ts";
export type { WholeNumber } from "./semver/whole-number.ts";
