// What can be done on the cluster about a finding? render/sentence/crd.ts states what the author of the bundle can
// do.

import { bundleDefinitions } from "../../constraint/bundle-definitions.ts";
import type { CrdFinding } from "../../crd/finding.ts";
import type { Loss } from "../../crd/rewrite-loss.ts";
import { printVersion } from "../../semver/version.ts";
import type { CrdRemedy } from "../crd-upgrade.ts";
import type { Brought } from "./api-needs.ts";
import type { CrdWorld } from "./crd-changes.ts";

/** The context of a finding. */
export interface RemedyContext {
  readonly world: CrdWorld;
  /** The bundle that makes the change. */
  readonly node: Brought;
  /** The objects of the kind were given. */
  readonly areKnown: boolean;
  /** The storage version of the kind on the cluster; undefined if there is not exactly one. */
  readonly storage: string | undefined;
  /** What is lost when every object is rewritten. */
  readonly loses: Loss;
}

/** What can be done first; undefined if nothing on the cluster would help. */
export function remedyFor(finding: CrdFinding, where: RemedyContext): CrdRemedy | undefined {
  const { code, crd, version, object } = finding;
  const { loses } = where;
  switch (code) {
    case "CRD101":
      return { kind: "rewrite", crd, version, loses };
    case "CRD119":
      return version === where.storage ? undefined : { kind: "rewrite", crd, version, loses };
    case "CRD102":
      return intermediate(crd, version, where);
    case "CRD103":
      return updateUser(finding, "require");
    case "CRD106":
      return updateUser(finding, "own");
    case "CRD301":
    case "CRD302": {
      if (finding.isStuck || object === undefined) return undefined;
      const { namespace, name } = object;
      return { kind: "change-object", plural: pluralOf(crd), ...(namespace !== undefined && { namespace }), name };
    }
    default:
      return code.startsWith("CRD2") && version !== "" && !where.areKnown ? { kind: "give-objects", crd } : undefined;
  }
}

function updateUser({ user, userIn, version }: CrdFinding, needs: "require" | "own"): CrdRemedy | undefined {
  if (user === undefined) return undefined;
  return { kind: "update-user", user, ...(userIn !== undefined && { userIn }), needs, version };
}

/** An intermediate version of the package that has the version of the kind but does not serve it any more. */
function intermediate(crd: string, version: string, { world, node }: RemedyContext): CrdRemedy | undefined {
  const between = world
    .versionsOf(node.bundle.package)
    .find(({ properties }) =>
      bundleDefinitions(properties).definitions.some(
        ({ name, versions }) => name === crd && versions.some((one) => one.name === version && !one.served),
      ),
    );
  if (between === undefined) return undefined;
  const to = { package: between.package, version: printVersion(between.version) };
  return { kind: "update-first", to, version };
}

/** The plural: the first part of a definition's name. */
function pluralOf(crd: string): string {
  return crd.slice(0, Math.max(0, crd.indexOf(".")));
}
