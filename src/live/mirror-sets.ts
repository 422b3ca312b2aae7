// Which mirrors of registries does an OpenShift cluster declare? ImageDigestMirrorSet, ImageTagMirrorSet, and the older
// ImageContentSourcePolicy.

import type { ServedApi } from "../kube/discovery.ts";
import { listPath } from "../kube/path.ts";
import { failureOfOne, type NetFailure } from "../net/failure.ts";
import { parsedJson } from "../net/json-fields.ts";
import { clusterMirrorRules, type MirrorRule } from "../oci/mirrors.ts";
import type { Server } from "./read-cluster.ts";

/** The kinds, and the groups of their APIs. */
const KINDS = [
  ["config.openshift.io", "ImageDigestMirrorSet"],
  ["config.openshift.io", "ImageTagMirrorSet"],
  ["operator.openshift.io", "ImageContentSourcePolicy"],
] as const;

const MAX_SETS = 1000;

/** What the cluster declares; a kind that cannot be read is reported to `onUnread`. */
export async function clusterMirrors(
  server: Server,
  apis: readonly ServedApi[],
  onUnread: (kind: string, failure: NetFailure) => void,
): Promise<readonly MirrorRule[]> {
  const rules: MirrorRule[] = [];
  for (const [group, kind] of KINDS) {
    const api = apis.find((one) => one.group === group && one.kind === kind);
    if (api === undefined) continue;
    try {
      await server.list(listPath(api), { maxItems: MAX_SETS }, (text) => {
        // Items of a list state no kind.
        const object = parsedJson(text);
        if (typeof object === "object" && object !== null) rules.push(...clusterMirrorRules({ ...object, kind }));
      });
    } catch (error) {
      onUnread(kind, failureOfOne(error));
    }
  }
  return rules;
}
