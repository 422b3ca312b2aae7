// What should be known besides the answer? Plain data by code; the words are in render/sentence/warning.ts.

import type { Outline } from "../constraint/outline.ts";
import type { CrdFinding, CrdStatement } from "../crd/finding.ts";
import type { Gvk } from "../model/catalog.ts";
import { canonicalText, compareText, type Json } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import { comparePlaces, type Place } from "../model/place.ts";
import type { CatalogName } from "../model/problem.ts";
import type { MalformedConstraintDetail } from "../rule/malformed-constraint.ts";
import type { PlatformNote } from "../rule/platform-version.ts";
import type { BrokenRule } from "../rule/rules.ts";
import type { RuntimeConstraintDetail } from "../rule/runtime-constraint.ts";
import type { OlmV1Refusal } from "./olmv1/choose.ts";
import type { EmptyNamespace } from "./prepare/asked-namespaces.ts";

type Of<Code extends string, Data = object> = { readonly code: Code } & Readonly<Data>;

/** Why it is unknown whether the replacements of an operator end in a failure. */
export type ChainFault =
  | { readonly kind: "empty" }
  /** An operator of the chain is not in the phase Replacing. */
  | { readonly kind: "phase"; readonly operator: string; readonly phase?: string | undefined }
  /** A cycle of this many replacements. */
  | { readonly kind: "circle"; readonly operator: string; readonly replacements: number };

/** The first names of a list, and how many more there are. */
interface Names {
  readonly names: readonly string[];
  readonly more: number;
}

/** The namespace; undefined if more than one was searched. */
interface Where {
  readonly namespace?: string | undefined;
}

/** A flag that names a package without effect. */
interface NoEffect {
  readonly package: string;
  readonly where: Where;
  /** The package that was probably meant. */
  readonly meant?: string | undefined;
}

/** A name that does not exist. */
export type UnknownName =
  | Of<"unknown-catalog", { catalog: string; meant?: string | undefined; sameName: readonly string[] }>
  /** `catalog` is undefined if several were searched; `isWithoutCatalogs` if there is none. */
  | Of<
      "unknown-package",
      { package: string; catalog?: string | undefined; isWithoutCatalogs?: true; meant?: string | undefined }
    >
  | Of<"unknown-channel", { package: string; channel: string; meant?: string | undefined }>;

/** About requests. */
export type RequestWarning =
  | Of<"approval-excludes", { request: string }>
  | Of<"nothing-to-drop", NoEffect>
  | Of<"nothing-to-replace", NoEffect & { request: string }>
  /** It is requested, but not by a Manual Subscription; or it is not requested. */
  | Of<"nothing-to-approve", NoEffect & { isAsked: boolean }>
  | Of<"nothing-to-remove", NoEffect>
  | Of<"nothing-to-hold", NoEffect>
  | Of<"nothing-to-release", { package: string }>
  | Of<"no-such-constraint", { number: number; numbers: readonly number[] }>
  | EmptyNamespace;

/** About input that was given, or is missing. */
export type InputWarning =
  | Of<"missing-operator", { subscription: string; operator: string; isUnreadable: boolean }>
  | Of<"catalog-not-given", { catalogs: Names }>
  | Of<"crds-not-given", { kinds: Names }>
  | Of<"catalog-unavailable", { catalog: CatalogName; reason: string; isIgnored: boolean }>
  | Of<"catalog-priority", { catalog: string }>
  /** An administrator has disabled its ClusterCatalog. */
  | Of<"catalog-disabled", { catalog: string }>
  /** The installed bundle of a ClusterExtension is in no catalog. */
  | Of<"bundle-not-given", { operator: string; extension: string }>
  | Of<"catalog-name", { subscription: string; more: number; meant: string; given: string; path: string }>
  | Of<"runtime-constraints-elsewhere", { configMap: string; wanted: string }>
  | Of<"runtime-constraints-not-given", { wanted: string }>
  | Of<
      "failed-install-plan",
      { plan: string; missing: readonly string[]; message?: string | undefined; isForward: boolean }
    >
  | Of<"unreadable-properties", { operator: string }>
  | Of<"fail-forward", { operator: string; why: ChainFault }>
  | Of<"operator-groups", { in: string; count: number }>;

/** What the answer does about a rule that was broken before. */
export type BrokenOutcome =
  | { readonly kind: "stays" }
  | { readonly kind: "repaired" }
  /** Its operator is replaced by one for which it is unknown whether it satisfies the rule. */
  | { readonly kind: "replaced"; readonly by: OperatorRef; readonly unknown: "install-modes" | "kubernetes" };

/** About operators of the answer. */
type OperatorWarning =
  | Of<"already-broken", { rule: Omit<BrokenRule, "place">; fate: BrokenOutcome }>
  | Of<"malformed-constraint", { operator: OperatorRef; detail: MalformedConstraintDetail }>
  | Of<
      "deprecated",
      { text: string; package: string; channel?: string | undefined; operator?: OperatorRef | undefined }
    >
  /** OLM v1 by itself does not choose this bundle. */
  | Of<"olmv1-refuses", { operator: OperatorRef; refusal: OlmV1Refusal }>
  | Of<"unknown-platform", { operator: OperatorRef; note: PlatformNote }>
  | Of<"runtime-constraint", { operator: OperatorRef; detail: RuntimeConstraintDetail }>
  | Of<"rarely-met", { constraint: Outline; met: number; bundles: number }>
  | Of<"evaluation-error", { operator: OperatorRef; beside: Outline; other: OperatorRef; error: string }>
  | Of<"cost-limit", { operator: OperatorRef; constraint: Outline; limit: number }>;

/** A finding about a CRD, as repeated in a warning. */
type RepeatedFinding = CrdStatement & Pick<CrdFinding, "crd">;

/** About CRDs of the cluster. */
type CrdWarning =
  | Of<"crd-upgrade", { operator: OperatorRef; finding: RepeatedFinding; assumedFrom?: OperatorRef | undefined }>
  | Of<"crd-upgrade", { operator: OperatorRef; finding?: undefined; more: number }>
  | Of<"crd-not-served", { operator: OperatorRef; api: Gvk }>
  /** How the first few operators would change this many definitions; `crd` if it is one. */
  | Of<
      "crd-not-checked",
      { operators: readonly OperatorRef[]; hasMore: boolean; crds: number; crd?: string | undefined }
    >;

/** About the steps of a plan. */
type PlanWarning =
  | Of<"upgrade-circle", { package: string; from: string; to: string; request: string }>
  | Of<"crd-clash", { bundles: readonly string[] }>
  | Of<
      "crd-migration",
      {
        bundle: string;
        crd: string;
        removed: readonly string[];
        storage: string;
        loss: readonly Pick<CrdFinding, "path" | "object">[];
        codes: readonly string[];
      }
    >;

/** Information that does not change the answer. */
export type Warning = (UnknownName | RequestWarning | InputWarning | OperatorWarning | CrdWarning | PlanWarning) & {
  readonly place?: Place | undefined;
};

/** The identity of a warning, wherever it was found. */
export function warningKey({ place: _, ...warning }: Warning): string {
  return canonicalText(warning as unknown as Json);
}

/** Distinct warnings in order; the first of equal ones. */
export function distinctWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const firstOf = new Map<string, Warning>();
  const keys = new Set<string>();
  return warnings.filter((warning) => {
    // Most differ in code or subject, which is cheaper to compare.
    const about = `${warning.code} ${subjectOf(warning)}`;
    const first = firstOf.get(about);
    if (first === undefined) {
      firstOf.set(about, warning);
      return true;
    }
    keys.add(warningKey(first));
    const { size } = keys;
    return keys.add(warningKey(warning)).size > size;
  });
}

/** The order of warnings: by code, then by subject, then by place. */
export function compareWarnings(a: Warning, b: Warning): number {
  return (
    compareText(a.code, b.code) ||
    compareText(subjectOf(a), subjectOf(b)) ||
    // Those without a place come first.
    Number(a.place !== undefined) - Number(b.place !== undefined) ||
    (a.place === undefined || b.place === undefined ? 0 : comparePlaces(a.place, b.place)) ||
    compareText(warningKey(a), warningKey(b))
  );
}

function subjectOf(warning: Warning): string {
  if ("operator" in warning && warning.operator !== undefined)
    return typeof warning.operator === "string" ? warning.operator : warning.operator.name;
  if (warning.code === "already-broken") return warning.rule.operator?.name ?? "";
  return "package" in warning ? warning.package : "";
}
