// What does a rule say about one operator, or about several?

import type { Outline } from "../../constraint/outline.ts";
import { gvkOf } from "../../model/catalog.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type { CrdObjection, CrdUpgradeDetail } from "../../rule/crd-upgrade.ts";
import type { MalformedConstraintDetail } from "../../rule/malformed-constraint.ts";
import type { PlatformNote, PlatformVersionDetail } from "../../rule/platform-version.ts";
import type { RequirementDetail } from "../../rule/requirement.ts";
import type { BrokenRule, Detail } from "../../rule/rules.ts";
import type { RuntimeConstraintDetail } from "../../rule/runtime-constraint.ts";
import {
  apiName,
  besideText,
  messageText,
  operatorText,
  ruleOf,
  saying,
  sentence,
  withMessages,
} from "./constraint.ts";
import { crdMessage } from "./crd.ts";
import { lossText } from "./crd-words.ts";
import { byName, type Naming } from "./names.ts";
import type { Clause } from "./words.ts";

export interface Who {
  readonly text: string;
  /** It begins with a word, and not with a name. */
  readonly isPlain?: boolean | undefined;
  /** They need a verb in the plural. */
  readonly isPlural: boolean;
  /** "no version of x", where it is about all of them. */
  readonly none?: string | undefined;
}

export function one(text: string): Who {
  return { text, isPlural: false };
}

/** The whole sentence, without a full stop. `values` are those for which a rule of the administrator is false. */
export function detailText(detail: Detail, who: Who, naming: Naming = byName, values?: string): string {
  const verb = (singular: string, plural: string): string => `${who.text} ${who.isPlural ? plural : singular}`;
  switch (detail.rule) {
    case "subscription":
      return detail.why === "removed"
        ? `${verb("is", "are")} of package ${detail.package}, which is to be removed`
        : `${verb("needs", "need")} approval: its Subscription ${detail.request} is Manual`;
    case "one-bundle":
      return `${namesOf(detail.members, naming).join(" and ")} are of package ${detail.package}, and only one of them may run in ${detail.scope === "cluster" ? "the cluster scope" : "a namespace"}`;
    case "one-provider": {
      const names = [...(who.text === "" ? [] : [who.text]), ...namesOf(detail.providers, naming)];
      return `${names.join(" and ")} provide ${apiName(gvkOf(detail.api))}, and only one operator may`;
    }
    case "deprecation":
      return `${verb("is", "are")} marked olm.deprecated, only to hold the upgrade graph together`;
    case "malformed-constraint":
      return `${verb("has", "have")} a constraint that cannot be read: ${mistakesText(detail)}`;
    case "feature-gate":
      return `${verb("has", "have")} a compound constraint, and the feature gate CompoundConstraintsV1Alpha1 is off`;
    case "platform-version":
      return `${verb("needs", "need")} ${detail.of} ${boundText(detail)}, and the cluster has ${detail.cluster}`;
    case "install-mode": {
      const modes = detail.missing.join(" and ");
      return `${verb("does", "do")} not support the install mode ${modes}, which ${detail.namespace === CLUSTER_SCOPE ? "OLM v1" : `the OperatorGroup of ${detail.namespace}`} needs`;
    }
    case "runtime-constraint":
      return runtimeText(detail, who, values);
    case "crd-upgrade":
      return `${who.text} would change the CRD ${detail.crd}${assumption(detail, naming)}: ${objectionsText(detail)}`;
    default:
      return requirementText(detail, who.text);
  }
}

export function detailClause(detail: Detail, who: Who, naming: Naming, values: string | undefined): Clause {
  const text = detailText(detail, who, naming, values);
  return { text, isPlain: who.isPlain === true || isOfAdministrator(detail) };
}

/** Does a sentence begin with the administrator, or with nothing at all, instead of the operators that it is about? */
function isOfAdministrator(detail: Detail): boolean {
  if (detail.rule !== "runtime-constraint") return false;
  if (detail.why === "unreadable") return true;
  const { constraint, action, error } = detail;
  return error !== undefined || action === "conflict" || ruleOf(constraint) === undefined;
}

export function brokenText({ detail, operator }: BrokenRule, naming: Naming = byName): string {
  return detailText(detail, one(operator === undefined ? "" : nameOf(operator, naming)), naming);
}

export function brokenClause(broken: BrokenRule, naming: Naming): Clause {
  return { text: brokenText(broken, naming), isPlain: isOfAdministrator(broken.detail) };
}

/** The subject of a broken rule: an operator, a package or an API. */
export function brokenSubject({ detail, operator }: BrokenRule): string {
  if (operator !== undefined) return nameOf(operator, byName);
  if (detail.rule === "one-bundle") return detail.package;
  return detail.rule === "one-provider" ? apiName(gvkOf(detail.api)) : "";
}

function namesOf(operators: readonly OperatorRef[], naming: Naming): readonly string[] {
  return operators.map((operator) => nameOf(operator, naming));
}

/** Operators of other namespaces have theirs in front. */
function nameOf(operator: OperatorRef, naming: Naming): string {
  if (operator.namespace === undefined) return naming(operator);
  return operator.namespace === CLUSTER_SCOPE
    ? `${operator.name} of a ClusterExtension`
    : `${operator.namespace}/${operator.name}`;
}

/** What an operator requires, or optionally requires. */
function requirementText({ rule, constraint, action }: RequirementDetail, who: string): string {
  const parts = "constraints" in constraint ? constraint.constraints : [];
  const [unwanted = constraint] = parts;
  const isConflict = action === "conflict";
  const demand = ((): string => {
    if (rule === "optional")
      return isConflict ? `would rather not run ${besideText([unwanted])}` : `would like ${sentence(constraint)}`;
    if (isConflict) return `cannot run ${besideText([unwanted])}`;
    const isNone = constraint.kind === "none" && constraint.scope === "solution";
    return isNone ? `cannot run ${besideText(parts)}` : `requires ${sentence(constraint)}`;
  })();
  return withMessages(`${who} ${demand}`, constraint, `${who}'s author`);
}

function mistakesText({ mistakes, more }: MalformedConstraintDetail): string {
  const texts = mistakes.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  return `${texts.join("; ")}${more === 0 ? "" : `; and ${more} more, which \`plimsoll lint\` lists`}`;
}

/** The words for a version that is needed: "1.24.0 or newer". */
export function boundText({ bound, text }: Pick<PlatformVersionDetail, "bound" | "text">): string {
  return bound === "at least" ? `${text} or newer` : `${text} or older`;
}

/** A version that an operator needs, and why that is not enforced. */
export function platformNoteText({ of, text, why, cluster }: PlatformNote, who: string): string {
  const need = of === "Kubernetes" ? `${who} needs at least Kubernetes` : `${who} runs at most on OpenShift`;
  const what = {
    "no-version": `${JSON.stringify(text)}, which is not a version`,
    "unknown-cluster": `${text}, and the version of the cluster is not known`,
    "unreadable-cluster": `${text}, and the version of the cluster, ${JSON.stringify(cluster)}, is not a version`,
  }[why];
  const flag = of === "Kubernetes" ? "--kube-version" : "--openshift-version";
  return `${need} ${what}: it is not enforced${why === "unknown-cluster" ? ` (${flag} VERSION)` : ""}`;
}

function runtimeText(detail: RuntimeConstraintDetail, who: Who, values: string | undefined): string {
  if (detail.why === "unreadable")
    return "nothing is installed or updated while the runtime constraints cannot be read";
  const { constraint, action, error } = detail;
  if (action === "conflict" && constraint.kind === "package" && error === undefined) {
    if (constraint.message !== undefined)
      return `the administrator forbids ${who.text}: ${messageText(constraint.message)}`;
    if (constraint.range.only !== undefined) return `the administrator forbids ${who.text}`;
  }
  return `${faultText(detail, who)}${values === undefined ? "" : `; ${values}`}${remarksOn(constraint)}`;
}

function faultText(
  { constraint, action, error }: Extract<RuntimeConstraintDetail, { readonly why: "refused" }>,
  who: Who,
): string {
  const isRule = ruleOf(constraint) !== undefined;
  const demand = action === "require" ? "requires" : "forbids";
  const wanted = isRule ? "an operator that meets a rule" : operatorText(constraint);
  if (error !== undefined)
    return `the administrator ${demand} ${wanted}, and for ${who.text} that cannot be evaluated: ${error}`;
  if (isRule) {
    if (action === "conflict") return `the administrator forbids ${who.text} by a rule`;
    const fails = who.none === undefined ? `${who.text} ${who.isPlural ? "do" : "does"} not meet` : `${who.none} meets`;
    return `${fails} a rule of the administrator`;
  }
  const isOne = who.isPlural ? "are such operators" : "is such an operator";
  const isNone = who.isPlural ? `${who.text} are not such operators` : `${who.text} is not such an operator`;
  const is = action === "conflict" ? `${who.text} ${isOne}` : who.none === undefined ? isNone : `${who.none} is one`;
  return `the administrator ${demand} ${wanted}, and ${is}`;
}

/** What is appended to a refusal: the administrator's message, and the rule if it cannot be paraphrased. */
function remarksOn(constraint: Outline): string {
  const rule = ruleOf(constraint);
  const said = [saying(constraint, "the administrator"), rule === undefined ? undefined : `rule ${rule}`];
  const remarks = said.filter((text) => text !== undefined).join("; ");
  return remarks === "" ? "" : ` (${remarks})`;
}

/** A note about a definition that was not given; empty if it was. */
export function assumption({ assumedFrom }: Pick<CrdUpgradeDetail, "assumedFrom">, naming: Naming): string {
  return assumedFrom === undefined ? "" : `, which was not given and is assumed to be that of ${naming(assumedFrom)}`;
}

function objectionsText({ objections, more }: CrdUpgradeDetail): string {
  const texts = objections.map(objectionText);
  return (more > 0 ? [...texts, `${more} more`] : texts).join("; ");
}

function objectionText({ finding, loses }: CrdObjection): string {
  const loss = loses === undefined ? "" : `; to write them again would lose ${lossText(loses)}`;
  return `${crdMessage(finding)}${loss} (${finding.code})`;
}
