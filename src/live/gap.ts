// What could not be read from a cluster? Each gap is a finding that says what the answer does not know because of it.

import { KINDS } from "../input/objects/kind-table.ts";
import type { ServedApi } from "../kube/discovery.ts";
import type { KubeFailure } from "../kube/failure.ts";
import { type Finding, finding } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import { counted, enumerated } from "../text/words.ts";
import { NOT_INSTALLED, UNKNOWN_WITHOUT, type WantedList } from "./wanted-kinds.ts";

/** The place of all objects of a kind. */
export function kindPlace(kind: string): ReturnType<typeof wholeSource> {
  return wholeSource(`cluster/${kind}`);
}

/** Nothing of the cluster could be read. */
export function unreachableCluster(failure: KubeFailure): Finding {
  const { message, help } = failure;
  return finding("PL014", wholeSource("cluster"), {
    message,
    ...(help !== undefined && { help }),
    dropped: "cluster",
  });
}

/** The objects of a known kind could not be read; or only those of one namespace. */
export function unreadKind(list: WantedList, failure: KubeFailure, onlyNamespace?: string): Finding {
  const { kind } = KINDS[list];
  const objects = `${kind} objects${onlyNamespace === undefined ? "" : ` outside the namespace ${onlyNamespace}`}`;
  return finding("PL014", kindPlace(kind), { ...lacking(objects, UNKNOWN_WITHOUT[list], failure), dropped: "kind" });
}

/** Items of a list that are no objects, or too long. */
export function unreadItems(list: WantedList, count: number, why: string): Finding {
  const { kind } = KINDS[list];
  const message = `${counted(count, `${kind} object`)} of the cluster could not be read: ${why}`;
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
export function unreadConfigMap(namespace: string, name: string, failure: KubeFailure): Finding {
  const { message } = lacking("the runtime constraints", "nothing is installed or updated", failure);
  return finding("PL014", wholeSource(`cluster/${namespace}/ConfigMap/${name}`), {
    message,
    help: `allow get of the ConfigMap ${name} in the namespace ${namespace}; or give the constraints with --runtime-constraints FILE`,
    dropped: "document",
  });
}

/** A fact about the cluster that its API server did not state. */
export function unreadFact(what: string, failure: KubeFailure): Finding {
  return finding("PL014", wholeSource("cluster"), lacking(what, "it is unknown", failure));
}

/** The custom resources of a kind could not be read. */
export function unreadInstances({ kind, group, plural }: ServedApi, failure: KubeFailure): Finding {
  const { message, help } = lacking(
    `${kind} objects (${group})`,
    "changes of their definition are checked without them",
    failure,
  );
  const isForbidden = failure.kind === "forbidden";
  return finding("PL016", kindPlace(kind), {
    message,
    help: `${isForbidden ? `allow list of ${plural}.${group}` : (help ?? "try again")}, or leave custom resources out with --no-instances`,
  });
}

/** Only some of the custom resources of a kind were read. */
export function cutOffInstances({ kind, group }: ServedApi, read: number): Finding {
  return finding("PL016", kindPlace(kind), {
    message: `there are more than ${counted(read, `${kind} object`)} (${group}): changes of their definition are checked with these only`,
    help: "check them all with crd check --instances PATH",
  });
}

/** What is wrong, and what to do; `unknown` is what the answer does not know because of it. */
function lacking(what: string, unknown: string, failure: KubeFailure): Pick<Finding, "message" | "help"> {
  const { kind, words, message } = failure;
  if (kind !== "forbidden")
    return { message: `${what} could not be read, so ${unknown}: ${message}`, ...helpOf(failure) };
  return {
    message: `reading ${what} is forbidden, so ${unknown}`,
    help: `${words ?? message}; deploy/read-role.yaml allows everything that is read`,
  };
}

function helpOf({ help }: KubeFailure): Pick<Finding, "help"> {
  return help === undefined ? {} : { help };
}
