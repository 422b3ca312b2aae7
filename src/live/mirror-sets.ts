// Which mirrors of registries does an OpenShift cluster declare? ImageDigestMirrorSet, ImageTagMirrorSet, and the older
// ImageContentSourcePolicy.

import type { ServedApi } from "../kube/discovery.ts";
import { listPath } from "../kube/path.ts";
import { NetFailure } from "../net/failure.ts";
import { field, listField, parsedJson, textField, textsField } from "../net/json-fields.ts";
import type { MirrorRule } from "../oci/mirrors.ts";
import type { Server } from "./read-cluster.ts";

/** The kinds: where their list is, and for which references it counts. */
const KINDS = {
  ImageDigestMirrorSet: ["config.openshift.io", "imageDigestMirrors", "digest-only"],
  ImageTagMirrorSet: ["config.openshift.io", "imageTagMirrors", "tag-only"],
  ImageContentSourcePolicy: ["operator.openshift.io", "repositoryDigestMirrors", "digest-only"],
} as const;

const MAX_SETS = 1000;

/** What the cluster declares; a kind that cannot be read is reported to `onUnread`. */
export async function clusterMirrors(
  server: Server,
  apis: readonly ServedApi[],
  onUnread: (kind: string, failure: NetFailure) => void,
): Promise<readonly MirrorRule[]> {
  const rules: MirrorRule[] = [];
  for (const [kind, [group, list, pulls]] of Object.entries(KINDS)) {
    const api = apis.find((one) => one.group === group && one.kind === kind);
    if (api === undefined) continue;
    try {
      await server.list(listPath(api), { maxItems: MAX_SETS }, (text) => {
        for (const entry of listField(field(parsedJson(text), "spec"), list)) {
          const source = textField(entry, "source");
          if (source === undefined) continue;
          rules.push({
            prefix: source,
            mirrors: textsField(entry, "mirrors").map((location) => ({ location, insecure: false, pulls })),
            neverSource: textField(entry, "mirrorSourcePolicy") === "NeverContactSource",
          });
        }
      });
    } catch (failure) {
      if (!(failure instanceof NetFailure) || failure.kind === "cancelled") throw failure;
      onUnread(kind, failure);
    }
  }
  return rules;
}
