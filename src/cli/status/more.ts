// Which commands show more of what a Resolution says? Those for the first one that needs attention, quoted for a shell.

import { isOfCluster, type ResolutionAdvice, verdictOf } from "../../model/resolution-advice.ts";
import { shellText } from "../shell-text.ts";
import type { StatusFlags } from "./options.ts";

/** The commands; none if nothing needs attention. */
export function commandsFor(resolutions: readonly ResolutionAdvice[], flags: StatusFlags): readonly string[] {
  const concerned = resolutions.find(isRefused) ?? resolutions.find(needsAttention);
  if (concerned === undefined) return [];
  const { namespace, name, status } = concerned;
  const cluster = clusterWords(flags);
  const describe = ["kubectl", "describe", "resolution", name, "-n", namespace, ...cluster];
  const items = [...(status?.unsatisfied ?? []), ...(status?.heldBack ?? [])];
  const [subject] = items.map((item) => item.package).filter((text) => text !== "");
  const scope = isOfCluster(concerned) ? ["--scope", "cluster"] : ["-n", namespace];
  const live = cluster.length === 0 ? ["--live"] : cluster;
  const explain = subject === undefined ? [] : [["plimsoll", "explain", subject, ...scope, ...live]];
  return [describe, ...explain].map((words) => words.map(shellText).join(" "));
}

function isRefused(resolution: ResolutionAdvice): boolean {
  return verdictOf(resolution).isRefused;
}

function needsAttention(resolution: ResolutionAdvice): boolean {
  const { isHeldBack, isWaiting, isUnknown } = verdictOf(resolution);
  return isHeldBack === true || isWaiting || isUnknown;
}

/** The flags that name the cluster, which kubectl and plimsoll share. */
function clusterWords({ context, kubeconfig, as, asGroup = [] }: StatusFlags): readonly string[] {
  return [
    ...(context === undefined ? [] : ["--context", context]),
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    ...(as === undefined ? [] : ["--as", as]),
    ...asGroup.flatMap((group) => ["--as-group", group]),
  ];
}
