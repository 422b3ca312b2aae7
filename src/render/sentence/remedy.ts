// What has to be done by others before something is possible?

import type { Remedy } from "../../resolve/explain/remedies.ts";
import { lossText } from "./crd-words.ts";
import { byVersion } from "./names.ts";

/** A sentence. */
export function remedyText(remedy: Remedy): string {
  switch (remedy.kind) {
    case "rewrite": {
      const { crd, version, loses } = remedy;
      const first =
        loses.fields.length === 0
          ? ""
          : `Writing objects of ${crd} again would lose ${lossText(loses)}: move that to other fields first. `;
      return `${first}Write every object of ${crd} again, so that none is stored in ${version}, then take ${version} out of its status.storedVersions.`;
    }
    case "update-first": {
      const { to, version } = remedy;
      return `Update to ${to.package} ${to.version} before that: it has ${version} but no longer serves it.`;
    }
    case "update-user":
      return `Update ${remedy.user} to a version that does not ${remedy.needs} ${remedy.version}, or remove it.`;
    case "change-object": {
      const { plural, namespace, name } = remedy;
      return `Change ${plural} ${namespace === undefined ? name : `${namespace}/${name}`}.`;
    }
    case "give-objects":
      return `Give the objects of ${remedy.crd} with -f: if all of them are valid under the new schema, it is less serious.`;
    case "repair-runtime-constraints":
      return "Repair the administrator's constraints, as the errors in the input say.";
    case "correct-constraints":
      return `Have the constraints of ${byVersion(remedy.of)} corrected, as it says above; what else is in the way shows only then.`;
  }
}
