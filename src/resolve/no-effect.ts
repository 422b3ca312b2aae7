// Which changes have no effect, because they name a package or constraint that does not exist? Each is reported once, with the
// package that was probably meant.

import { type Installed, numbersOf, type Problem } from "../model/problem.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { isOfPackage, type PackageRequest } from "./prepare/hold.ts";
import { printNamedRequest } from "./prepare/named-request.ts";
import type { PreparationWarning } from "./prepare/problem-inputs.ts";
import { warningKey } from "./warning.ts";
import { type Change, changedByAll } from "./what-if.ts";

/** The problems with the changes, and a warning for each change that affects none of them. */
export function changedProblems(
  problems: readonly Problem[],
  changes: readonly Change[],
): { readonly problems: readonly Problem[]; readonly warnings: readonly PreparationWarning[] } {
  if (changes.length === 0 || problems.length === 0) return { problems, warnings: [] };
  const warnings = new Map<string, PreparationWarning>();
  for (const change of changes) {
    const warning = noEffect(change, problems);
    if (warning !== undefined) warnings.set(warningKey(warning), warning);
  }
  return { problems: problems.map((problem) => changedByAll(problem, changes)), warnings: [...warnings.values()] };
}

/** Why a change has no effect; undefined if it has one. */
function noEffect(change: Change, problems: readonly Problem[]): PreparationWarning | undefined {
  const requests = problems.flatMap((problem) => problem.requests);
  const isAsked = (owner: string): boolean => requests.some((request) => request.package === owner);
  switch (change.kind) {
    case "drop":
      if (isAsked(change.package)) return undefined;
      return { code: "nothing-to-drop", ...unknownPackage(change.package, problems) };
    case "instead": {
      const { request } = change;
      if (isAsked(request.package)) return undefined;
      const unknown = unknownPackage(request.package, problems);
      return { code: "nothing-to-replace", ...unknown, request: printNamedRequest(request) };
    }
    case "approve": {
      const owner = change.package;
      if (requests.some((request) => request.package === owner && request.approval === "Manual")) return undefined;
      return { code: "nothing-to-approve", ...unknownPackage(owner, problems), isAsked: isAsked(owner) };
    }
    case "without-constraint": {
      const numbers = [...new Set(problems.flatMap(({ runtime }) => numbersOf(runtime)))].sort((a, b) => a - b);
      if (numbers.includes(change.number)) return undefined;
      return { code: "no-such-constraint", number: change.number, numbers };
    }
    case "remove":
      return nothingToRemove(change.package, problems);
    case "hold":
      return nothingToHold(change.package, problems);
    case "release":
      return isReleased(change.package, problems) ? undefined : { code: "nothing-to-release", package: change.package };
    default:
      return undefined;
  }
}

/** The requests and operators of a namespace: packages are looked up in them. */
export interface NamespacePackages {
  readonly namespace: string;
  readonly requests: readonly PackageRequest[];
  readonly installed: readonly Installed[];
}

/** A warning if a package that is to be removed is neither requested nor installed. */
export function nothingToRemove(
  owner: string,
  namespaces: readonly NamespacePackages[],
): PreparationWarning | undefined {
  const isThere =
    isInstalled(owner, namespaces) || namespaces.some(({ requests }) => requests.some((one) => one.package === owner));
  return isThere ? undefined : { code: "nothing-to-remove", ...unknownPackage(owner, namespaces) };
}

/** A warning if a package that is to be held is not installed. */
export function nothingToHold(owner: string, namespaces: readonly NamespacePackages[]): PreparationWarning | undefined {
  return isInstalled(owner, namespaces) ? undefined : { code: "nothing-to-hold", ...unknownPackage(owner, namespaces) };
}

function isInstalled(owner: string, namespaces: readonly NamespacePackages[]): boolean {
  return namespaces.some(({ installed, requests }) => installed.some((one) => isOfPackage(one, owner, requests)));
}

function isReleased(owner: string, problems: readonly Problem[]): boolean {
  return problems.some(
    ({ removed, installed, requests }) =>
      removed.includes(owner) || installed.some((one) => one.hold?.by === "flag" && isOfPackage(one, owner, requests)),
  );
}

/** The package, where it was looked up, and the one that was probably meant among those requested or installed. */
function unknownPackage(
  owner: string,
  namespaces: readonly NamespacePackages[],
): { readonly package: string; readonly where: { readonly namespace?: string }; readonly meant?: string } {
  const known = new Set<string>();
  for (const { requests, installed } of namespaces)
    for (const one of [...requests, ...installed]) if (one.package !== undefined) known.add(one.package);
  const meant = known.has(owner) ? undefined : didYouMean(owner, known);
  const [only, ...others] = namespaces;
  return {
    package: owner,
    where: only !== undefined && others.length === 0 ? { namespace: only.namespace } : {},
    ...(meant !== undefined && { meant }),
  };
}
