// What can whoever runs the cluster do about a finding? What the author of the bundle can do is said by src/crd.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { CrdFinding } from "../crd/finding.ts";
import type { Node } from "./catalog-index.ts";
import { memberText } from "./explain/version-runs.ts";
import type { Universe } from "./universe.ts";

/** What is known where a finding was made. */
export interface Whereabouts {
  readonly universe: Universe;
  /** The bundle that makes the change. */
  readonly node: Node;
  /** The objects of the kind were given. */
  readonly areKnown: boolean;
  /** The version in which the cluster stores objects of the kind; nothing where that is not one. */
  readonly storage: string | undefined;
  /** What is lost when every object is written again, in words; empty where nothing is. */
  readonly lost: string;
}

/** A sentence, or nothing where nothing on the cluster would help. */
export function remedyFor(finding: CrdFinding, where: Whereabouts): string | undefined {
  const { code, crd, version, user, object } = finding;
  switch (code) {
    case "CRD101":
      return rewritten(crd, version, where.lost);
    case "CRD119":
      return version === where.storage ? undefined : rewritten(crd, version, where.lost);
    case "CRD102":
      return intermediate(crd, version, where);
    case "CRD103":
      return user && `Update ${user} to a version that does not require ${version}, or remove it.`;
    case "CRD106":
      return user && `Update ${user} to a version that does not own ${version}, or remove it.`;
    case "CRD301":
    case "CRD302":
      return finding.isStuck ? undefined : object && `Change ${kindText(crd)} ${objectText(object)}.`;
    default:
      return code.startsWith("CRD2") && version !== "" && !where.areKnown
        ? `Give the objects of ${crd} with -f: if all of them are valid under the new schema, it is less serious.`
        : undefined;
  }
}

/** What has to be done by hand while the definition of the cluster still has the version, and converts it. */
function rewritten(crd: string, version: string, lost: string): string {
  const first =
    lost === "" ? "" : `Writing objects of ${crd} again would lose ${lost}: move that to other fields first. `;
  return `${first}Write every object of ${crd} again, so that none is stored in ${version}, then take ${version} out of its status.storedVersions.`;
}

/** A version of the package in between that has the version of the kind but does not serve it any more. */
function intermediate(crd: string, version: string, { universe, node }: Whereabouts): string | undefined {
  const between = universe
    .chainsOf(node.family)
    .find(({ bundle }) =>
      bundleDefinitions(bundle.properties).definitions.some(
        ({ name, versions }) => name === crd && versions.some((one) => one.name === version && !one.served),
      ),
    );
  return between && `Update to ${memberText(between)} before that: it has ${version} but no longer serves it.`;
}

/** The plural, with which the name of a definition begins. */
function kindText(crd: string): string {
  return crd.slice(0, Math.max(0, crd.indexOf(".")));
}

function objectText({ namespace, name }: NonNullable<CrdFinding["object"]>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
