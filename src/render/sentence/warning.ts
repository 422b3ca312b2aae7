// What does a warning say?

import { shortLoss } from "../../crd/rewrite-loss.ts";
import { PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { EmptyNamespace } from "../../resolve/prepare/asked-namespaces.ts";
import type { BrokenOutcome, ChainFault, UnknownName, Warning } from "../../resolve/warning.ts";
import { andMore, quoted } from "../../text/words.ts";
import { byKind, byTag } from "../kit/by-kind.ts";
import { apiName, operatorText, sentence } from "./constraint.ts";
import { crdMessage } from "./crd.ts";
import { lossText, named, namedAll } from "./crd-words.ts";
import { type Naming, qualified, scopeText } from "./names.ts";
import { olmV1Text } from "./olmv1.ts";
import { assumption, brokenText, detailText, one, platformNoteText } from "./rule.ts";

type Coded<Code extends Warning["code"]> = Extract<Warning, { readonly code: Code }>;

/** The whole sentence, without a full stop. */
export const warningText: (warning: Warning, naming: Naming) => string = byTag("code", {
  "already-broken": (warning, naming) =>
    `${brokenText(warning.rule, naming)}; this was broken before${outcomeText(warning.fate, naming)}`,
  "malformed-constraint": (warning, naming) => detailText(warning.detail, one(naming(warning.operator)), naming),
  deprecated: (warning, naming) => `${deprecatedName(warning, naming)} is deprecated: ${warning.text}`,
  "olmv1-refuses": ({ operator, refusal }, naming) =>
    `OLM v1 does not choose ${naming(operator)} by itself: ${olmV1Text(refusal)}`,
  "unknown-platform": (warning, naming) => platformNoteText(warning.note, naming(warning.operator)),
  "runtime-constraint": (warning, naming) =>
    `${detailText(warning.detail, one(naming(warning.operator)), naming)}; it stays, since it runs`,
  "rarely-met": (warning) => `the administrator requires ${operatorText(warning.constraint)}: ${rareText(warning)}`,
  "evaluation-error": ({ operator, beside, other, error }, naming) => {
    const who = other.namespace === undefined ? naming(other) : qualified(other.namespace, other.name);
    return `${naming(operator)} cannot run beside ${operatorText(beside)}; for ${who} that cannot be evaluated: ${error}`;
  },
  "cost-limit": (warning, naming) =>
    `${naming(warning.operator)} asks for ${sentence(warning.constraint)}, which was too expensive to find out for some (the limit is ${warning.limit}): they count as if it were not so`,
  "crd-upgrade": (warning, naming) => crdUpgradeText(warning, naming),
  "crd-not-served": (warning, naming) =>
    `${naming(warning.operator)} requires ${apiName(warning.api)}, which the CRD of the cluster does not serve`,
  "crd-not-checked": ({ operators, hasMore, crds, crd }, naming) => {
    const names = [...operators.map(naming), ...(hasMore ? ["others"] : [])].join(", ");
    return `what ${names} would make of ${crd ?? `${crds} CRDs`} is not known: the manifests are not in the catalog, or cannot be read`;
  },
  "upgrade-circle": (warning) =>
    `the channels of ${warning.package} lead in a circle, from ${warning.from} back to ${warning.to}: the plan ends there; name a channel in ${warning.request}`,
  "crd-clash": (warning) =>
    `${warning.bundles.join(", ")} can only be installed together, but bring different definitions of one custom kind: nothing of it is done`,
  "crd-migration": ({ bundle, crd, removed, storage, loss, codes }) =>
    `before ${bundle}, every object of ${named(crd)} is written again; where an object was stored in ${namedAll(removed, "or")}, this loses what ${named(storage)} does not have: ${lossText(shortLoss(loss))} (${codes.join(", ")})`,
  "unknown-catalog": (warning) => unknownText(warning),
  "unknown-package": (warning) => unknownText(warning),
  "unknown-channel": (warning) => unknownText(warning),
  "approval-excludes": (warning) =>
    `what waits for approval leaves nothing for ${warning.request}: they cannot be had together`,
  "nothing-to-drop": (warning) => `--drop ${warning.package}: ${unaskedText(warning)}`,
  "nothing-to-replace": (warning) => `--instead ${warning.request}: ${unaskedText(warning)}`,
  "nothing-to-approve": (warning) =>
    `--approve ${warning.package}: ${warning.isAsked ? `no Subscription for it in ${whereText(warning)} is Manual` : unaskedText(warning)}`,
  "nothing-to-remove": (warning) =>
    `--remove ${warning.package}: there is no such package in ${whereText(warning)}${meantText(warning.meant)}`,
  "nothing-to-hold": (warning) =>
    `--hold ${warning.package}: the package is not installed in ${whereText(warning)}${meantText(warning.meant)}`,
  "nothing-to-release": (warning) => `--release ${warning.package}: no --hold or --remove of it is saved`,
  "no-such-constraint": (warning) =>
    `--without-constraint ${warning.number}: the administrator has ${constraintsText(warning.numbers)}`,
  "empty-namespace": (warning) => emptyNamespaceText(warning),
  "missing-operator": ({ subscription, operator, isUnreadable }) => {
    const why = isUnreadable
      ? "and that ClusterServiceVersion cannot be used: it is treated as new"
      : "and no such ClusterServiceVersion was given: it is treated as new; give the installed operators too (kubectl get clusterserviceversions.operators.coreos.com -A -o yaml)";
    return `Subscription ${subscription} says that ${operator} is installed, ${why}`;
  },
  "catalog-not-given": (warning) =>
    `the cluster has catalogs that were not given: ${andMore(warning.catalogs.names, warning.catalogs.more)}; what they offer is not known (--catalog NAME=PATH)`,
  "crds-not-given": (warning) => {
    const isOne = warning.kinds.names.length + warning.kinds.more === 1;
    const [crds, are, them] = isOne ? ["the CRD", "is", "it"] : ["the CRDs", "are", "them"];
    return `${crds} of ${andMore(warning.kinds.names, warning.kinds.more)} ${are} not in the input, and no catalog has the manifests of the installed owners; whether an update changes ${them} safely is not checked (in files: kubectl get customresourcedefinitions.apiextensions.k8s.io -o yaml)`;
  },
  "catalog-unavailable": ({ catalog, reason, isIgnored }) => {
    const what = isIgnored ? "the answer is made as if it did not exist" : "what it might offer is not known";
    return `catalog ${wholeName(catalog)} is not available: ${reason}; ${what}`;
  },
  "catalog-priority": (warning) =>
    `several CatalogSources are called ${warning.catalog} and differ in priority; give the catalog as NAMESPACE/${warning.catalog}=…`,
  "catalog-disabled": (warning) =>
    `ClusterCatalog ${warning.catalog} is disabled (availabilityMode: Unavailable); nothing is chosen from it`,
  "bundle-not-given": ({ operator, extension }) =>
    `ClusterExtension ${extension} has installed ${operator}, which is in no catalog that was given; which APIs it provides and what it requires is not known`,
  "catalog-name": ({ subscription, more, meant, given, path }) => {
    const who = more === 0 ? `${subscription} names` : `${subscription} and ${more} more name`;
    return `Subscription ${who} the catalog ${meant}, and the only one that was given is called ${given}; if it is that one, name it: --catalog ${meant}=${path}`;
  },
  "runtime-constraints-elsewhere": (warning) =>
    `ConfigMap ${warning.configMap} is not read: the runtime constraints are those of ConfigMap ${warning.wanted}; move it there, or name it with --runtime-constraints-configmap ${warning.configMap}`,
  "runtime-constraints-not-given": (warning) =>
    `there is no ConfigMap ${warning.wanted} among the objects that were given; no runtime constraints hold`,
  "failed-install-plan": ({ plan, missing, message, isForward }) => {
    const next = isForward
      ? "OLM does not try it again; it goes on only to an entry that skips what has failed"
      : "OLM does not try it again, and does nothing in the namespace until the InstallPlan is deleted";
    return `InstallPlan ${plan}, which was to bring ${missing.join(", ")}, has failed${message === undefined ? "" : ` (${message})`}: ${next}`;
  },
  "unreadable-properties": (warning) =>
    `the annotation ${PROPERTIES_ANNOTATION} of ${warning.operator} cannot be read; its properties are derived from the APIs that it owns and requires`,
  "fail-forward": (warning) =>
    `the replacements of ${warning.operator} cannot be passed over: ${chainText(warning.why)}`,
  "operator-groups": (warning) => {
    const { count } = warning;
    return `OLM needs exactly one OperatorGroup in namespace ${warning.in}, but there ${count > 1 ? "are" : "is"} ${count === 0 ? "none" : count}; install modes are not checked`;
  },
});

const outcomeText: (fate: BrokenOutcome, naming: Naming) => string = byKind({
  stays: () => ", and stays broken",
  repaired: () => ", and this answer repairs it",
  replaced: (fate, naming) => {
    const what =
      fate.unknown === "install-modes"
        ? "whose install modes are not known"
        : "of which it is not known which Kubernetes it needs";
    return `; this answer replaces it by ${naming(fate.by)}, ${what}`;
  },
});

function deprecatedName({ package: owner, channel, operator }: Coded<"deprecated">, naming: Naming): string {
  if (operator !== undefined) return naming(operator);
  return channel === undefined ? `package ${owner}` : `channel ${channel} of package ${owner}`;
}

function rareText({ met, bundles }: Coded<"rarely-met">): string {
  if (met > 0) return `of ${bundles} bundles only ${met} can be chosen`;
  return bundles === 1 ? "the only bundle cannot be chosen" : `none of the ${bundles} bundles can be chosen`;
}

function crdUpgradeText(warning: Coded<"crd-upgrade">, naming: Naming): string {
  const who = naming(warning.operator);
  if (warning.finding === undefined)
    return `${who}: ${warning.more} more warnings about CRDs; \`plimsoll crd check\` lists them`;
  const { code, crd, version } = warning.finding;
  return `${who} changes the CRD ${version === "" ? crd : `${crd} ${version}`}${assumption(warning, naming)}: ${crdMessage(warning.finding)} (${code})`;
}

export function unknownText(unknown: UnknownName): string {
  const { meant } = unknown;
  switch (unknown.code) {
    case "unknown-catalog": {
      const { catalog, sameName } = unknown;
      const same = `; there ${sameName.length === 1 ? "is" : "are"} ${sameName.join(", ")}`;
      return `there is no catalog ${quoted(catalog, 80)}${sameName.length > 0 ? same : meantText(meant)}`;
    }
    case "unknown-package": {
      const { package: name, catalog, isWithoutCatalogs } = unknown;
      const has = catalog === undefined ? "the catalogs have" : `catalog ${catalog} has`;
      return `${isWithoutCatalogs ? "there is no catalog, and so" : has} no package ${quoted(name, 80)}${meantText(meant)}`;
    }
    case "unknown-channel":
      return `package ${unknown.package} has no channel ${quoted(unknown.channel, 80)}${meantText(meant)}`;
  }
}

function meantText(meant: string | undefined): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** That a namespace has nothing to resolve, with those that have. */
export function emptyNamespaceText({ in: namespace, known, meant }: EmptyNamespace): string {
  const nearest = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `namespace ${JSON.stringify(namespace)} has no Subscriptions and no operators.${nearest} There are ${known.join(", ")}.`;
}

export const chainText: (fault: ChainFault) => string = byKind({
  empty: () => "there is no operator whose replacements could be followed",
  phase: (fault) => `${fault.operator} is in phase ${fault.phase ?? "(none)"} instead of Replacing`,
  circle: (fault) => `${fault.operator} is replaced by itself, through ${fault.replacements} replacements`,
});

function unaskedText(vain: Coded<"nothing-to-drop" | "nothing-to-replace" | "nothing-to-approve">): string {
  return `no request names the package in ${whereText(vain)}${meantText(vain.meant)}`;
}

function whereText({
  where: { namespace },
}: Coded<
  "nothing-to-drop" | "nothing-to-replace" | "nothing-to-approve" | "nothing-to-remove" | "nothing-to-hold"
>): string {
  return namespace === undefined ? "any namespace that is resolved" : scopeText(namespace);
}

function constraintsText(numbers: readonly number[]): string {
  const count = numbers.length;
  if (count === 0) return "no constraints";
  if (numbers.at(-1) !== count) return `only ${numbers.map((number) => `constraint ${number}`).join(", ")}`;
  return count === 1 ? "one constraint" : `${count} constraints, counted from 1`;
}
