// What could not be read from a cluster? Each gap is a finding that says what the answer does not know because of it.

import { KINDS } from "../input/objects/kind-table.ts";
import type { ServedApi } from "../kube/discovery.ts";
import { type Finding, finding } from "../model/finding.ts";
import { clusterPlace, type Place, wholeSource } from "../model/place.ts";
import type { NetFailure } from "../net/failure.ts";
import { counted, enumerated, listed } from "../text/words.ts";
import { NOT_INSTALLED, type WantedList } from "./wanted-kinds.ts";

/** The place of all objects of a kind. */
export function kindPlace(kind: string): Place {
  return wholeSource(`cluster/${kind}`);
}

/** Nothing of the cluster could be read. */
export function unreachableCluster(failure: NetFailure): Finding {
  const { message } = failure;
  return finding("PL014", wholeSource("cluster"), { message, ...helpOf(failure), dropped: "cluster" });
}

/** The objects of a known kind could not be read, so that something is unknown; or only those of one namespace could. */
export function unreadKind(list: WantedList, unknown: string, failure: NetFailure, onlyNamespace?: string): Finding {
  const { kind } = KINDS[list];
  const [objects, without] =
    onlyNamespace === undefined
      ? [`${kind} objects`, unknown]
      : [`${kind} objects outside the namespace ${onlyNamespace}`, "those of other namespaces are unknown"];
  return finding("PL014", kindPlace(kind), { ...lacking(objects, without, failure), dropped: "kind" });
}

/** Items of a list that are no objects, or too long. */
export function unreadItems(kind: string, count: number, why: string): Finding {
  const message = `${counted(count, `${kind} object`)} of the cluster could not be read: ${why}`;
  return finding("PL014", kindPlace(kind), { message, dropped: "kind" });
}

/** There are more objects of a known kind than are read. */
export function tooManyObjects(kind: string, read: number): Finding {
  const message = `there are more than ${counted(read, `${kind} object`)}; the others are not read`;
  return finding("PL014", kindPlace(kind), { message, dropped: "kind" });
}

/** The kinds of one API group that the cluster does not serve. */
export function notServed(group: string, lists: readonly WantedList[]): Finding {
  const kinds = lists.map((list) => KINDS[list].kind);
  const product = NOT_INSTALLED[group];
  const none = enumerated(kinds, "or");
  const message =
    product === undefined
      ? `the cluster does not serve ${enumerated(kinds)} (${group})`
      : `the cluster does not serve ${enumerated(kinds)} (${group}): ${product}, or not completely`;
  return finding("PL015", wholeSource("cluster"), { message, help: `the answer is for a cluster without any ${none}` });
}

/** The runtime constraints could not be read: they may exist. */
export function unreadConfigMap(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  unknown: string,
  failure: NetFailure,
): Finding {
  return finding("PL014", wholeSource(clusterPlace("ConfigMap", namespace, name).source), {
    ...lacking("the runtime constraints", unknown, failure),
    dropped: "document",
  });
}

/** A fact about the cluster that its API server did not state. */
export function unreadFact(what: string, failure: NetFailure): Finding {
  return finding("PL014", wholeSource("cluster"), lacking(what, "it is unknown", failure));
}

const WITHOUT_THEM = "changes of their definitions are checked without them";

/** The custom resources of a kind could not be read. */
export function unreadInstances({ kind, group }: Pick<ServedApi, "group" | "kind">, failure: NetFailure): Finding {
  const { message, help = "try again" } = lacking(`${kind} objects (${group})`, WITHOUT_THEM, failure);
  return finding("PL016", kindPlace(kind), { message, help: `${help}; --no-instances leaves custom resources out` });
}

/** The custom resources of these kinds may not be read: one finding, since they have one cause. */
export function forbiddenInstances(kinds: readonly ServedApi[]): Finding {
  const names = kinds.map(({ plural, group }) => `${plural}.${group}`);
  return finding("PL016", wholeSource("cluster"), {
    message: `reading custom resources is forbidden (${listed(names)}), so ${WITHOUT_THEM}`,
    help: "allow list of them, for example with the role view; --no-instances leaves custom resources out",
  });
}

/** Only some of the custom resources of a kind were read, or none, since the limit for all kinds was reached before. */
export function cutOffInstances({ kind, group }: ServedApi, read: number): Finding {
  return finding("PL016", kindPlace(kind), {
    message:
      read === 0
        ? `${kind} objects (${group}) are not read, since there are too many of other kinds: changes of their definition are checked without them`
        : `there are more than ${counted(read, `${kind} object`)} (${group}): changes of their definition are checked with these only`,
    help: "check them all with crd check --instances PATH",
  });
}

/** What is wrong, and what to do; `unknown` is what the answer does not know because of it. */
function lacking(what: string, unknown: string, failure: NetFailure): Pick<Finding, "message" | "help"> {
  const { kind, words, message } = failure;
  if (kind !== "forbidden")
    return { message: `${what} could not be read, so ${unknown}: ${message}`, ...helpOf(failure) };
  return {
    message: `reading ${what} is forbidden, so ${unknown}`,
    help: `${words ?? message} (the role that is needed: docs/live.md#rights)`,
  };
}

function helpOf({ help }: NetFailure): Pick<Finding, "help"> {
  return help === undefined ? {} : { help };
}
