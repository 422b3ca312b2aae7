// Which kinds does OpenShift have for mirrors of registries? Small definitions of them, for an API server of the tests.

import type { JsonObject } from "../../src/model/json.ts";

const KINDS = [
  ["config.openshift.io", "v1", "ImageDigestMirrorSet", "imagedigestmirrorsets"],
  ["config.openshift.io", "v1", "ImageTagMirrorSet", "imagetagmirrorsets"],
  ["operator.openshift.io", "v1alpha1", "ImageContentSourcePolicy", "imagecontentsourcepolicies"],
] as const;

/** The definitions; they accept every field. */
export function mirrorDefinitions(): readonly JsonObject[] {
  return KINDS.map(([group, version, kind, plural]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for tests" } },
    spec: {
      group,
      scope: "Cluster",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  }));
}
