// What do ClusterExtensions request? Their terms, as far as they can be read; and a package named on the command line, as
// a ClusterExtension that does not exist yet.

import type { ClusterExtension } from "../../model/cluster-extension.ts";
import { compareText, given } from "../../model/json.ts";
import type { ExtensionTerms, Installed, MalformedField, Request } from "../../model/problem.ts";
import type { LabelSelector } from "../../model/selector.ts";
import { rangeFrom } from "../../semver/blang-range.ts";
import { parseConstraint } from "../../semver/masterminds-range.ts";
import { type LabelledCatalog, selectorFault, selectsCatalog } from "./catalog-selector.ts";
import { compareRequests, distinct, freeId, newestOperator } from "./claims.ts";
import type { NamedRequest } from "./problem-inputs.ts";

/** The requests of the cluster scope, in order. A ClusterExtension that is being deleted requests nothing. */
export function extensionRequests(
  extensions: readonly ClusterExtension[],
  named: readonly NamedRequest[],
  installed: readonly Installed[],
  catalogs: readonly LabelledCatalog[],
): readonly Request[] {
  const names = new Set(installed.map(({ name }) => name));
  const requests = extensions
    .filter(({ terminating }) => !terminating)
    .map((one): Request => {
      const running = one.installed?.name;
      return given({
        id: one.name,
        name: one.name,
        priority: one.priority,
        package: one.packageName,
        installed: running !== undefined && names.has(running) ? running : undefined,
        approval: "Automatic",
        extension: termsOf(one, catalogs),
        place: one.place,
      });
    });
  const ids = new Set(requests.map(({ id }) => id));
  for (const one of distinct(named)) {
    const claimed = newestOperator(installed.filter((operator) => operator.package === one.package));
    const request = namedExtension(one, ids, claimed?.name);
    ids.add(request.id);
    requests.push(request);
  }
  return requests.sort(compareRequests);
}

/** A request without a ClusterExtension; it claims an operator if one is named. */
export function namedExtension(named: NamedRequest, taken: ReadonlySet<string>, claimed: string | undefined): Request {
  const { package: owner, range } = named;
  return given({
    id: freeId(owner, taken),
    name: owner,
    priority: 0,
    package: owner,
    range: range && rangeFrom(range),
    installed: claimed,
    approval: "Automatic",
    extension: namedTerms(named, undefined),
  });
}

/** The terms of a named request; what it does not name is as in the request that it replaces. */
export function namedTerms({ catalog, channel }: NamedRequest, before: ExtensionTerms | undefined): ExtensionTerms {
  return {
    channels: channel === undefined ? [] : [channel],
    catalogs: catalog === undefined ? before?.catalogs : [catalog.name],
    policy: before?.policy ?? "CatalogProvided",
    crdUpgradeSafety: before?.crdUpgradeSafety ?? "Strict",
  };
}

function termsOf(extension: ClusterExtension, catalogs: readonly LabelledCatalog[]): ExtensionTerms {
  const { version: written = "", catalogSelector: selector, upgradeConstraintPolicy: policy } = extension;
  // OLM v1 treats an empty range as none.
  const versions = written === "" ? undefined : parseConstraint(written);
  const fault = selector && selectorFault(selector);
  const allowed =
    selector && fault === undefined && !isEmptySelector(selector)
      ? catalogs.filter((one) => selectsCatalog(selector, one)).map(({ name }) => name)
      : undefined;
  const malformed: MalformedField | undefined =
    typeof versions === "string"
      ? { field: "version", text: written, reason: versions }
      : fault !== undefined
        ? { field: "selector", fault }
        : policyFault(policy);
  return given({
    channels: [...new Set(extension.channels)],
    versions: typeof versions === "string" ? undefined : versions,
    catalogs: allowed?.sort(compareText),
    policy: policy === "SelfCertified" ? policy : "CatalogProvided",
    crdUpgradeSafety: extension.crdUpgradeSafety === "None" ? "None" : "Strict",
    malformed,
  });
}

/** An empty selector matches every catalog. */
function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

function policyFault(policy: string): MalformedField | undefined {
  if (policy === "CatalogProvided" || policy === "SelfCertified") return undefined;
  return { field: "upgradeConstraintPolicy", text: policy };
}
