// Which flags of `resolve` do not go together?

import { wrongFacts } from "./cluster-facts.ts";
import type { ResolveFlags } from "./resolve-options.ts";
import { stdinTwice } from "./shared-options.ts";

/** What is wrong with the command line as a whole. */
export function wrongUsage(isNamed: boolean, flags: ResolveFlags): string | undefined {
  const { namespace, allNamespaces } = flags;
  if (flags.replay !== undefined) return withReplay(flags.replay, isNamed, flags);
  if (namespace === "") return "-n needs the name of a namespace.";
  if (namespace !== undefined && allNamespaces) return "-n and -A exclude each other.";
  if (isNamed && allNamespaces) return "a package is asked for in one namespace; choose it with -n instead of -A.";
  if (flags.catalog.length + flags.filename.length === 0)
    return `there is nothing to resolve${isNamed ? " from; name a catalog" : "; name a catalog and a package"}: plimsoll resolve --catalog ./catalog etcd`;
  const filename = flags.runtimeConstraints === "-" ? [...flags.filename, "-"] : flags.filename;
  return stdinTwice({ ...flags, filename }) ?? wrongFacts(flags);
}

/** A saved problem is everything that its answer depends on; only how long to search may be said anew. */
function withReplay(path: string, isNamed: boolean, flags: ResolveFlags): string | undefined {
  const given: readonly (readonly [isGiven: boolean, flag: string])[] = [
    [isNamed, "a package"],
    [flags.catalog.length > 0, "--catalog"],
    [flags.filename.length > 0, "-f"],
    [flags.namespace !== undefined, "-n"],
    [flags.allNamespaces === true, "-A"],
    [flags.remove.length > 0, "--remove"],
    [flags.hold.length > 0, "--hold"],
    [flags.kubeVersion !== undefined, "--kube-version"],
    [flags.openshiftVersion !== undefined, "--openshift-version"],
    [flags.property.length > 0, "--property"],
    [flags.runtimeConstraints !== undefined, "--runtime-constraints"],
    [flags.compat.length > 0, "--compat"],
    [flags.compoundScope !== undefined, "--compound-scope"],
    [Object.keys(flags.featureGates).length > 0, "--feature-gates"],
    [flags.allOrNothing === true, "--all-or-nothing"],
    [flags.installOptional === true, "--install-optional"],
    [flags.ignoreUnavailable === true, "--ignore-unavailable"],
    [flags.celCostLimit !== undefined, "--cel-cost-limit"],
  ];
  const others = given.flatMap(([isGiven, flag]) => (isGiven ? [flag] : []));
  return others.length === 0
    ? undefined
    : `--replay ${path} brings everything with it; leave out ${others.join(", ")}.`;
}
