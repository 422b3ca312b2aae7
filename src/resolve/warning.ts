// What is worth knowing about an answer, beside the answer? Plain data by code; the words are in render/sentence/warning.ts.

import type { Outline } from "../constraint/outline.ts";
import type { CrdFinding } from "../crd/finding.ts";
import type { Gvk } from "../model/catalog.ts";
import { canonicalText, compareText, type Json } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import { comparePlaces, type Place } from "../model/place.ts";
import type { CatalogName } from "../model/problem.ts";
import type { MalformedConstraintDetail } from "../rule/malformed-constraint.ts";
import type { PlatformNote } from "../rule/platform-version.ts";
import type { BrokenRule } from "../rule/rules.ts";
import type { RuntimeConstraintDetail } from "../rule/runtime-constraint.ts";

type Of<Code extends string, Data = object> = { readonly code: Code } & Readonly<Data>;

/** Why nobody can say whether the replacements of an operator end in a failure. */
export type ChainFault =
  | { readonly kind: "empty" }
  /** One of them is not in the phase Replacing. */
  | { readonly kind: "phase"; readonly operator: string; readonly phase?: string | undefined }
  /** It is replaced by itself, through so many replacements. */
  | { readonly kind: "circle"; readonly operator: string; readonly replacements: number };

/** The first names of a list, and how many more there are. */
interface Names {
  readonly names: readonly string[];
  readonly more: number;
}

/** The namespace that is meant; nothing where it is any of several. */
interface Where {
  readonly namespace?: string | undefined;
}

/** A flag that names a package in vain. */
interface Vain {
  readonly package: string;
  readonly where: Where;
  /** The package that was probably meant. */
  readonly meant?: string | undefined;
}

/** A name that does not exist. */
export type UnknownName =
  | Of<"unknown-catalog", { catalog: string; meant?: string | undefined; sameName: readonly string[] }>
  /** `catalog` is nothing where several were asked; `isWithoutCatalogs` where there is none. */
  | Of<
      "unknown-package",
      { package: string; catalog?: string | undefined; isWithoutCatalogs?: true; meant?: string | undefined }
    >
  | Of<"unknown-channel", { package: string; channel: string; meant?: string | undefined }>;

/** About what is asked for. */
export type RequestWarning =
  | Of<"approval-excludes", { request: string }>
  | Of<"nothing-to-drop", Vain>
  | Of<"nothing-to-replace", Vain & { wish: string }>
  /** It is asked for, but not by a Manual Subscription; or it is not asked for. */
  | Of<"nothing-to-approve", Vain & { isAsked: boolean }>
  | Of<"nothing-to-remove", Vain>
  | Of<"nothing-to-hold", Vain>
  | Of<"nothing-to-release", { package: string }>
  | Of<"no-such-constraint", { number: number; numbers: readonly number[] }>
  | Of<"empty-namespace", { text: string }>;

/** About what was given, or was not. */
export type InputWarning =
  | Of<"missing-operator", { subscription: string; operator: string; isUnreadable: boolean }>
  | Of<"catalog-not-given", { catalogs: Names }>
  | Of<"crds-not-given", { kinds: Names }>
  | Of<"catalog-unavailable", { catalog: CatalogName; reason: string; isIgnored: boolean }>
  | Of<"catalog-priority", { catalog: string }>
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

/** What becomes of a rule that was broken before. */
export type BrokenFate =
  | { readonly kind: "stays" }
  | { readonly kind: "repaired" }
  /** Its operator is replaced by one of which it is not known whether it keeps the rule. */
  | { readonly kind: "replaced"; readonly by: OperatorRef; readonly unknown: "install-modes" | "kubernetes" };

/** About operators of the answer. */
type OperatorWarning =
  | Of<"already-broken", { rule: Omit<BrokenRule, "place">; fate: BrokenFate }>
  | Of<"malformed-constraint", { operator: OperatorRef; detail: MalformedConstraintDetail }>
  | Of<
      "deprecated",
      { text: string; package: string; channel?: string | undefined; operator?: OperatorRef | undefined }
    >
  | Of<"unknown-platform", { operator: OperatorRef; note: PlatformNote }>
  | Of<"runtime-constraint", { operator: OperatorRef; detail: RuntimeConstraintDetail }>
  | Of<"rarely-met", { constraint: Outline; met: number; bundles: number }>
  | Of<"evaluation-error", { operator: OperatorRef; beside: Outline; other: OperatorRef; error: string }>
  | Of<"cost-limit", { operator: OperatorRef; constraint: Outline; limit: number }>;

/** A finding about a custom kind, as a warning repeats it. */
export type ToldFinding = Pick<CrdFinding, "code" | "crd" | "version" | "message">;

/** About custom kinds of the cluster. */
type CrdWarning =
  | Of<"crd-upgrade", { operator: OperatorRef; finding: ToldFinding; assumedFrom?: OperatorRef | undefined }>
  | Of<"crd-upgrade", { operator: OperatorRef; finding?: undefined; more: number }>
  | Of<"crd-not-served", { operator: OperatorRef; api: Gvk }>
  /** What the first few operators would make of so many definitions; `crd` where it is one. */
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

/** Something worth knowing that does not change the answer. */
export type Warning = (UnknownName | RequestWarning | InputWarning | OperatorWarning | CrdWarning | PlanWarning) & {
  readonly place?: Place | undefined;
};

/** What tells warnings apart, wherever they were found. */
export function warningKey({ place: _, ...warning }: Warning): string {
  return canonicalText(warning as unknown as Json);
}

/** Each once, in their order; the first of equal ones. */
export function distinctWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const firstOf = new Map<string, Warning>();
  const keys = new Set<string>();
  return warnings.filter((warning) => {
    // Most differ in code or subject, which is found out sooner.
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

/** The order of warnings: by code, then by what they are about, then by where it is written. */
export function compareWarnings(a: Warning, b: Warning): number {
  return (
    compareText(a.code, b.code) ||
    compareText(subjectOf(a), subjectOf(b)) ||
    // Those that are written nowhere come first.
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
