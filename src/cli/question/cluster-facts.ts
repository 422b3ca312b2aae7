// Are the facts about the cluster valid, and is each given once?

import { factFault } from "../../job/cluster-fact.ts";
import { SINGLE_FACTS } from "../../resolve/prepare/runtime-constraints.ts";
import type { ResolveFlags } from "./options.ts";

/** What is wrong with the facts of the flags. */
export function wrongFacts({
  kubeVersion,
  openshiftVersion,
  property,
}: Pick<ResolveFlags, "kubeVersion" | "openshiftVersion" | "property">): string | undefined {
  const said = new Map<string, string>();
  if (kubeVersion !== undefined) said.set("kubernetes.version", "--kube-version");
  if (openshiftVersion !== undefined) said.set("openshift.version", "--openshift-version");
  for (const { type, value } of property) {
    const before = said.get(type);
    if (before !== undefined) return `--property ${type} and ${before} say the same thing; leave one of them out.`;
    if (SINGLE_FACTS.has(type)) said.set(type, `another --property ${type}`);
    const fault = factFault(type, value);
    if (fault !== undefined) return `--property ${type}: ${fault}.`;
  }
  return undefined;
}
