// Are the changes to the CRDs of the cluster allowed? The findings of src/crd about each change, considering all
// operators that are present afterwards.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { Constraint } from "../constraint/constraint.ts";
import type { ConstraintReader } from "../constraint/read-requirements.ts";
import { checkUpgrade } from "../crd/check-upgrade.ts";
import type { CrdFinding } from "../crd/finding.ts";
import { type CrdCode, ruleOf } from "../crd/finding-codes.ts";
import { type ApiUser, NOTHING_KNOWN } from "../crd/upgrade/circumstances.ts";
import { type Bundle, type Gvk, gvkKey, type Property } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { definitionOf } from "../model/definition-of.ts";
import { canonicalText, isObject, type JsonObject, own } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";
import type { Violation } from "./answer.ts";
import type { Member, State } from "./state.ts";

/** The changes of CRDs that are not allowed. OLM does not check them when it resolves. */
export function wrongDefinitions(problem: Problem, after: State, reader: ConstraintReader): readonly Violation[] {
  const { definitions = [], options } = problem;
  if (options.compat) return [];
  const severities = new Map(
    Object.entries(options.crdSeverities ?? {}) as [CrdCode, CrdFinding["severity"] | "off"][],
  );
  const isError = (code: CrdCode): boolean => (severities.get(code) ?? "error") === "error";
  const isThere = (definition: CustomResourceDefinition): boolean =>
    definitions.some((one) => isOfKind(one.definition, definition));
  const violations: Violation[] = [...unservedNeeds(after, reader, isError, isThere)];
  for (const { role, name, bundle } of after.members) {
    if (role !== "chosen" || bundle === undefined || isUnchecked(problem, bundle)) continue;
    const { definitions: brought, owned } = bundleDefinitions(bundle.properties);
    for (const definition of brought) {
      const there =
        definitions.find((one) => one.definition.name === definition.name) ??
        definitions.find((one) => isOfKind(one.definition, definition));
      if (there === undefined) continue;
      // Another operator of the package is replaced by the bundle.
      const staying = after.members.filter(
        (one) => one.role === "elsewhere" || (one.role === "kept" && one.package !== bundle.package),
      );
      const findings = checkUpgrade(plain(there.definition), definition, {
        ...NOTHING_KNOWN,
        owners: 1 + otherOwners(problem, bundle, there.definition),
        objects: there.objects,
        isPartial: there.isPartial === true,
        requiredBy: staying.flatMap((member) => needsOf(member, reader)),
        ownedBy: staying.flatMap(ownedOf),
        owned: owned?.map((api) => ({ ...gvkIn(api), by: name })),
        severities,
      });
      for (const { severity, code } of findings)
        if (severity === "error")
          violations.push({
            rule: "crd-upgrade",
            text: `${name} changes ${definition.name}: ${ruleOf(code).meaning} (${code})`,
          });
    }
  }
  return violations;
}

/** Does a ClusterExtension for the package let every change of a CRD pass? */
function isUnchecked({ requests }: Problem, bundle: Bundle): boolean {
  return requests.some((one) => one.package === bundle.package && one.extension?.crdUpgradeSafety === "None");
}

/** What a newly chosen bundle requires or owns must be served by the definition of another newly chosen one. */
function unservedNeeds(
  { members }: State,
  reader: ConstraintReader,
  isError: (code: CrdCode) => boolean,
  isThere: (definition: CustomResourceDefinition) => boolean,
): readonly Violation[] {
  const chosen = members.filter(({ role }) => role === "chosen");
  const bringing = chosen.filter(({ properties }) => bundleDefinitions(properties).definitions.length > 0);
  if (bringing.length === 0) return [];
  const violations: Violation[] = [];
  for (const user of chosen)
    for (const api of [
      ...(isError("CRD103") ? needsOf(user, reader) : []),
      ...(isError("CRD106") ? ownedOf(user) : []),
    ])
      for (const { name, properties } of bringing.filter((one) => one.package !== user.package))
        for (const definition of bundleDefinitions(properties).definitions) {
          const isServed = definition.versions.some((version) => version.served && version.name === api.version);
          if (isServed || !isOfKind(api, definition)) continue;
          // A kind that a bundle does not declare matters only if it is on the cluster.
          if (!isThere(definition) && !properties.flatMap(providedBy).some((one) => isOfKind(one, definition)))
            continue;
          const text = `${user.name} needs ${api.kind} ${api.version}, which the definition of ${name} does not serve`;
          violations.push({ rule: "crd-upgrade", text });
        }
  return violations;
}

/**
 * Other packages, or the same one in other namespaces, that own the kind now. An operator of the same namespace that
 * provides an API of the bundle must be replaced by it.
 */
function otherOwners(problem: Problem, bundle: Bundle, definition: CustomResourceDefinition): number {
  const apis = bundle.properties.flatMap(providedBy);
  const isOwner = ({ owned, properties }: Installed): boolean =>
    (owned?.map(gvkIn) ?? properties.flatMap(providedBy)).some((api) => isOfKind(api, definition));
  const isRival = ({ properties }: Installed): boolean =>
    properties.flatMap(providedBy).some((one) => apis.some((api) => gvkKey(api) === gvkKey(one)));
  const here = problem.installed.filter((one) => one.package !== bundle.package && !isRival(one));
  const owners = [...problem.elsewhere, ...here].filter(isOwner);
  return new Set(owners.map((one) => JSON.stringify([one.namespace, one.package ?? one.name]))).size;
}

function isOfKind(api: Pick<Gvk, "group" | "kind">, { group, kind }: CustomResourceDefinition): boolean {
  return api.group === group && api.kind === kind;
}

function providedBy({ type, value }: Property): readonly Gvk[] {
  if (type !== "olm.gvk" || !isObject(value)) return [];
  const [group, version, kind] = [own(value, "group"), own(value, "version"), own(value, "kind")].map(String);
  return group === undefined || version === undefined || kind === undefined ? [] : [{ group, version, kind }];
}

/** An API as `gvkKey` writes it. */
function gvkIn(api: string): Gvk {
  const [group = "", version = "", kind = ""] = api.split("/");
  return { group, version, kind };
}

function ownedOf({ name, installed, bundle, properties }: Member): readonly ApiUser[] {
  const owned = bundle === undefined ? installed?.owned : bundleDefinitions(properties).owned;
  return (owned ?? []).map((api) => ({ ...gvkIn(api), by: name }));
}

function needsOf({ name, properties }: Member, reader: ConstraintReader): readonly ApiUser[] {
  return reader
    .of(properties)
    .requirements.filter(({ optional }) => !optional)
    .flatMap(({ constraint }) => apisIn(constraint))
    .map((api) => ({ ...api, by: name }));
}

function apisIn(constraint: Constraint): readonly Gvk[] {
  if (constraint.kind === "gvk") return [constraint.gvk];
  return constraint.kind === "all" ? constraint.constraints.flatMap(apisIn) : [];
}

/** As JSON, like the manifests of bundles. */
function plain({ object, apiVersion, place, storedVersions }: CustomResourceDefinition): CustomResourceDefinition {
  return { ...definitionOf(JSON.parse(canonicalText(object)) as JsonObject, apiVersion, place), storedVersions };
}
