// Which flags of `resolve` cannot be combined?

import { existsSync } from "node:fs";
import { FORMATS } from "../../render/output-formats.ts";
import { namesCluster } from "../live/options.ts";
import { stdinTwice } from "../shared-options.ts";
import { wrongFacts } from "./cluster-facts.ts";
import type { ResolveFlags } from "./options.ts";

/** What is wrong with the combination of flags. */
export function wrongUsage(isNamed: boolean, flags: ResolveFlags): string | undefined {
  const { namespace, scope, allNamespaces } = flags;
  if (flags.replay !== undefined) return withReplay(flags.replay, flags);
  if (flags.whatIfConstraints !== undefined) {
    const wrong = inComparison(flags);
    if (wrong !== undefined) return wrong;
  }
  if (namespace === "") return "-n needs the name of a namespace.";
  if (namespace !== undefined && allNamespaces) return "-n and -A cannot be combined.";
  if (scope !== undefined && (namespace !== undefined || allNamespaces))
    return `--scope cluster and ${allNamespaces ? "-A" : "-n"} cannot be combined.`;
  if (isNamed && allNamespaces)
    return "a package is requested in one namespace; choose the namespace with -n instead of -A.";
  if (flags.runtimeConstraints !== undefined && flags.runtimeConstraintsConfigmap !== undefined)
    return "--runtime-constraints takes the place of the ConfigMap; leave out --runtime-constraints-configmap.";
  const { runtimeConstraints, whatIfConstraints, crdSettings, locked } = flags;
  const others = [runtimeConstraints, whatIfConstraints, crdSettings, locked].filter((path) => path === "-");
  const filename = [...flags.filename, ...(others as readonly string[])];
  return stdinTwice({ ...flags, filename }) ?? wrongFacts(flags) ?? withoutReplay(flags);
}

/** The usage error for a path among the packages, if there is no other input. */
export function pathAsPackage(
  packages: readonly string[],
  { catalog, filename, replay }: ResolveFlags,
): string | undefined {
  if (catalog.length + filename.length > 0 || replay !== undefined) return undefined;
  const path = packages.find((name) => existsSync(name));
  return path && `no input; ${path} is a path: give a catalog with --catalog ${path}`;
}

/** A saved problem contains its inputs; only what-if flags go with it. */
function withReplay(path: string, flags: ResolveFlags): string | undefined {
  const given: readonly (readonly [isGiven: boolean, flag: string])[] = [
    [flags.catalog.length > 0, "--catalog"],
    [flags.filename.length > 0, "-f"],
    [namesCluster(flags), "the flags of a live cluster"],
    [flags.namespace !== undefined, "-n"],
    [flags.allNamespaces === true, "-A"],
    [flags.scope !== undefined, "--scope"],
    [flags.runtimeConstraints !== undefined, "--runtime-constraints"],
    [flags.runtimeConstraintsConfigmap !== undefined, "--runtime-constraints-configmap"],
    [flags.whatIfConstraints !== undefined, "--what-if-constraints"],
    [flags.crdSettings !== undefined, "--crd-settings"],
    [flags.fetchBundles === true, "--fetch-bundles"],
    [flags.compat.length > 0, "--compat"],
    [flags.compoundScope !== undefined, "--compound-scope"],
    [flags.allOrNothing === true, "--all-or-nothing"],
    [flags.installOptional === true, "--install-optional"],
  ];
  const others = given.flatMap(([isGiven, flag]) => (isGiven ? [flag] : []));
  return others.length === 0
    ? wrongFacts(flags)
    : `--replay ${path} contains all inputs; leave out ${others.join(", ")}.`;
}

/** A comparison is about two answers: flags that are about a single one, or about a constraint by its number, do not go with it. */
function inComparison(flags: ResolveFlags): string | undefined {
  const given: readonly (readonly [isGiven: boolean, flag: string])[] = [
    [flags.remove.length > 0, "--remove"],
    [flags.withoutConstraint.length > 0, "--without-constraint"],
    [flags.locked !== undefined, "--locked"],
    [flags.saveProblem !== undefined, "--save-problem"],
    [flags.fetchBundles === true, "--fetch-bundles"],
    [flags.failOn !== undefined, "--fail-on"],
    [flags.compat.includes("olmv1"), "--compat olmv1"],
  ];
  const others = given.flatMap(([isGiven, flag]) => (isGiven ? [flag] : []));
  if (others.length > 0) return `--what-if-constraints compares two answers; leave out ${others.join(", ")}.`;
  const formats: readonly string[] = FORMATS["resolve --what-if-constraints"];
  if (formats.includes(flags.output)) return undefined;
  return `--what-if-constraints has the output formats ${formats.join(", ")}, not ${flags.output}.`;
}

/** Flags that undo flags of a saved problem. */
function withoutReplay({ release, partly }: ResolveFlags): string | undefined {
  if (release.length > 0) return "--release is for a saved problem (--replay); leave out --hold or --remove instead.";
  return partly ? "--partly is for a saved problem (--replay); leave out --all-or-nothing instead." : undefined;
}
