// What has to be done by others before something is possible?

import type { Remedy } from "../../resolve/explain/remedies.ts";
import { byKind } from "../kit/by-kind.ts";
import { lossText } from "./crd-words.ts";
import { byVersion } from "./names.ts";

/** A sentence. */
export const remedyText: (remedy: Remedy) => string = byKind({
  rewrite: ({ crd, version, loses }) => {
    const first =
      loses.fields.length === 0
        ? ""
        : `Writing objects of ${crd} again would lose ${lossText(loses)}: move that to other fields first. `;
    return `${first}Write every object of ${crd} again, so that none is stored in ${version}, then take ${version} out of its status.storedVersions.`;
  },
  "update-first": ({ to, version }) =>
    `Update to ${to.package} ${to.version} before that: it has ${version} but no longer serves it.`,
  "update-user": (remedy) =>
    `Update ${remedy.user} to a version that does not ${remedy.needs} ${remedy.version}, or remove it.`,
  "change-object": ({ plural, namespace, name }) =>
    `Change ${plural} ${namespace === undefined ? name : `${namespace}/${name}`}.`,
  "give-objects": (remedy) =>
    `Give the objects of ${remedy.crd} with -f: if all of them are valid under the new schema, it is less serious.`,
  "repair-runtime-constraints": () => "Repair the administrator's constraints, as the errors in the input say.",
  "correct-constraints": (remedy) =>
    `Have the constraints of ${byVersion(remedy.of)} corrected, as it says above; what else is in the way shows only then.`,
});
