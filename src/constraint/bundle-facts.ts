// Where can a bundle run? Its properties state it, or the ClusterServiceVersion inside one of them.

import type { Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { InstallMode } from "../model/installed-operator.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Installed } from "../model/problem.ts";
import { isManifest, manifestOf } from "./manifests.ts";

/** Where an operator can run, as far as stated. */
export interface BundleFacts {
  /** The oldest supported Kubernetes, as written. */
  readonly minKubeVersion?: string | undefined;
  readonly installModes?: readonly InstallMode[] | undefined;
  /** The newest supported OpenShift, as written. */
  readonly maxOpenShiftVersion?: string | undefined;
  /** It must not be newly chosen: it only connects the upgrade graph. */
  readonly deprecated: boolean;
}

const known = new WeakMap<readonly Property[], BundleFacts>();

/** The facts of a bundle with these properties. */
export function bundleFacts(properties: readonly Property[]): BundleFacts {
  return getOrAdd(known, properties, () => ({ ...metadataOf(properties), ...otherFacts(properties) }));
}

/** The facts of an installed operator: its own fields count, not its bundle's metadata. */
export function installedFacts({ properties, minKubeVersion, installModes }: Installed): BundleFacts {
  return { minKubeVersion, installModes, ...otherFacts(properties) };
}

function otherFacts(properties: readonly Property[]): Pick<BundleFacts, "maxOpenShiftVersion" | "deprecated"> {
  let maxOpenShiftVersion: string | undefined;
  for (const { type, value } of properties)
    if (type === "olm.maxOpenShiftVersion" && (typeof value === "string" || typeof value === "number"))
      maxOpenShiftVersion ??= String(value);
  return { maxOpenShiftVersion, deprecated: isDeprecated(properties) };
}

/** Is a bundle with these properties deprecated, so that it must not be newly chosen? */
export function isDeprecated(properties: readonly Property[]): boolean {
  return properties.some(({ type }) => type === "olm.deprecated");
}

type Metadata = Pick<BundleFacts, "minKubeVersion" | "installModes">;

const UNKNOWN: Metadata = {};

/** From `olm.csv.metadata`, or else from the ClusterServiceVersion among the manifests. */
function metadataOf(properties: readonly Property[]): Metadata {
  for (const { type, value } of properties)
    if (type === "olm.csv.metadata" && isObject(value)) return readMetadata(value);
  for (const property of properties) {
    const csv = isManifest(property) ? manifestOf(property, ["ClusterServiceVersion"]) : undefined;
    if (isObject(csv) && isObject(csv.spec)) return readMetadata(csv.spec);
  }
  return UNKNOWN;
}

function readMetadata({ minKubeVersion, installModes }: JsonObject): Metadata {
  return {
    minKubeVersion: typeof minKubeVersion === "string" && minKubeVersion !== "" ? minKubeVersion : undefined,
    installModes: isList(installModes) ? installModes.flatMap(readInstallMode) : undefined,
  };
}

function readInstallMode(value: Json): readonly InstallMode[] {
  if (!isObject(value) || typeof value.type !== "string") return [];
  return [{ type: value.type, supported: value.supported === true }];
}
