// May a bundle change the custom kinds of a small world as it would? The table of severities of docs/crd.md in a few lines,
// for the few schemas that such worlds have; src/crd is not asked.

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Bundle, Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ClusterDefinition, Installed, Problem } from "../../src/model/problem.ts";
import { readerFor } from "./table.ts";

type Weight = "error" | "warning" | "info" | "off";

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: {
    readonly openAPIV3Schema: {
      readonly properties: {
        readonly spec: {
          readonly properties: { readonly colour: { readonly enum: readonly string[] } };
          readonly required?: readonly string[];
        };
      };
    };
  };
}

/** A definition as it is written, as far as it matters here. */
interface Written {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: string;
    readonly versions: readonly Version[];
  };
}

/** A definition that takes the place of another. */
interface Change {
  readonly there: ClusterDefinition;
  readonly before: Written["spec"];
  readonly after: Written["spec"];
}

/** Codes of the forbidden changes that a bundle makes, for any other choice. */
export function forbiddenChanges(problem: Problem, bundle: Bundle): readonly string[] {
  if (problem.options.compat) return [];
  const { crdSeverities = {} } = problem.options;
  const found = changesBy(problem, bundle).flatMap((change) => objections(problem, bundle, change));
  const wrong = found.filter(([code, usual]) => (crdSeverities[code] ?? usual) === "error");
  return [...new Set(wrong.map(([code]) => code))].sort();
}

/**
 * The APIs, as `group/version/kind`, that an operator requires and a bundle brings no longer or not at all, although
 * it brings their kind: what it requires, and what its ClusterServiceVersion owns. A running operator misses only what the
 * cluster serves now.
 */
export function missingApis(
  problem: Problem,
  user: Pick<Bundle, "properties"> & { readonly running?: Installed | undefined },
  bundle: Bundle,
): readonly string[] {
  const { compat, crdSeverities = {} } = problem.options;
  if (compat) return [];
  const counts = (code: string): boolean => (crdSeverities[code] ?? "error") === "error";
  const brought = broughtBy(bundle);
  if (brought.length === 0) return [];
  const now = servedApis(problem.definitions?.map(({ definition }) => specIn(definition.object)) ?? []);
  const then = servedApis(brought);
  const [there, announced] = [problem.definitions ?? [], apisOf(bundle.properties)];
  // A kind that a bundle does not announce matters only where it is.
  const counting = brought.filter(
    ({ group, names }) =>
      there.some(({ definition }) => definition.group === group && definition.kind === names.kind) ||
      announced.some((api) => isOfKind(api, group, names.kind)),
  );
  const isOfBrought = (api: string): boolean => counting.some(({ group, names }) => isOfKind(api, group, names.kind));
  const owned = user.running === undefined ? ownedApis(user) : (user.running.owned ?? []);
  const wanted = [
    ...(counts("CRD103") ? neededApis(problem, user.properties) : []),
    ...(counts("CRD106") ? owned : []),
  ];
  return [...new Set(wanted)].filter(
    (api) => isOfBrought(api) && !then.has(api) && (user.running === undefined || now.has(api)),
  );
}

/** The APIs that an operator cannot do without. */
function neededApis(problem: Problem, properties: readonly Property[]): readonly string[] {
  const inside = (constraint: Constraint): readonly string[] => {
    if (constraint.kind === "gvk") return [`${constraint.gvk.group}/${constraint.gvk.version}/${constraint.gvk.kind}`];
    return constraint.kind === "all" ? constraint.constraints.flatMap(inside) : [];
  };
  const { requirements } = readerFor(problem).of(properties);
  return requirements.flatMap(({ optional, constraint }) => (optional ? [] : inside(constraint)));
}

function objections(problem: Problem, bundle: Bundle, change: Change): readonly (readonly [string, Weight])[] {
  const { there, before, after } = change;
  const versionOf = ({ versions }: Written["spec"], name: string): Version | undefined =>
    versions.find((one) => one.name === name);
  const [oldStorage, newStorage] = [before, after].map(({ versions }) => versions.filter(({ storage }) => storage));
  const found: (readonly [string, Weight])[] = [];
  const report = (isSo: boolean, code: string, weight: Weight): void => {
    if (isSo) found.push([code, weight]);
  };

  const owned = ownedVersions(bundle, after);
  report(newStorage?.length !== 1, "CRD001", "error");
  report(new Set(after.versions.map(({ name }) => name)).size < after.versions.length, "CRD005", "error");
  report(
    owned.some((name) => versionOf(after, name) === undefined),
    "CRD003",
    "error",
  );
  report(
    owned.some((name) => versionOf(after, name)?.served === false),
    "CRD004",
    "error",
  );

  // What is stored now is stored, even if it is not recorded.
  const stored = [...there.definition.storedVersions, ...(oldStorage ?? []).map(({ name }) => name)];
  report(
    stored.some((name) => versionOf(after, name) === undefined),
    "CRD101",
    "error",
  );
  report(
    before.versions.some(({ name, served }) => served && versionOf(after, name) === undefined),
    "CRD102",
    "error",
  );
  const taken = lost(change).map((version) => apiText(before, version));
  const others = problem.elsewhere;
  report(
    others.some(({ properties }) => neededApis(problem, properties).some((api) => taken.includes(api))),
    "CRD103",
    "error",
  );
  report(
    others.some((one) => (one.owned ?? []).some((api) => taken.includes(api))),
    "CRD106",
    "error",
  );
  const isAnyServed = ({ versions }: Written["spec"]): boolean => versions.some(({ served }) => served);
  const isNoneLeft = isAnyServed(before) && !isAnyServed(after);
  report(isNoneLeft, "CRD118", "error");
  report(
    !isNoneLeft && before.versions.some(({ name, served }) => served && versionOf(after, name)?.served === false),
    "CRD116",
    "warning",
  );
  const isGone = ({ name }: Version): boolean => versionOf(after, name) === undefined && !stored.includes(name);
  const isRecorded = there.definition.storedVersions.length > 0;
  report(!isRecorded && before.versions.some(isGone), "CRD115", "warning");
  report(isRecorded && before.versions.some((version) => !version.served && isGone(version)), "CRD117", "info");
  report(before.scope !== after.scope, "CRD104", "error");
  report(before.names.plural !== after.names.plural, "CRD105", "error");
  if (newStorage?.length === 1) {
    report(oldStorage?.[0]?.name !== newStorage[0]?.name, "CRD108", "info");
    report(newStorage[0]?.served === false, "CRD109", "warning");
  }

  // An operator of this namespace that provides an API of the bundle cannot stay beside it.
  const apis = apisOf(bundle.properties);
  const beside = problem.installed.filter(
    (one) => one.package !== bundle.package && !apisOf(one.properties).some((api) => apis.includes(api)),
  );
  const several = [...others, ...beside].some((one) => ownsKind(one, before));
  const objects = there.objects?.map(({ object }) => object);
  const reportHurt = (old: Version, now: Version): void => {
    const isHurt = objects?.some((one) => isValid(one, old) && !isValid(one, now)) === true;
    report(isHurt, "CRD301", several ? "error" : "warning");
  };
  const reportNarrower = (old: Version, now: Version): void => {
    const areFine = objects !== undefined && (!now.served || objects.every((one) => isValid(one, now)));
    const weight = areFine ? (several ? "warning" : "info") : several ? "error" : "warning";
    report(
      coloursOf(old).some((colour) => !coloursOf(now).includes(colour)),
      "CRD203",
      weight,
    );
    report(!needsColour(old) && needsColour(now), "CRD202", weight);
  };
  const isAsked = (version: Version | undefined): boolean => version?.served === true;
  const areStillAsked = before.versions.some((old) => old.served && isAsked(versionOf(after, old.name)));
  for (const old of before.versions) {
    const now = versionOf(after, old.name);
    if (now === undefined) continue;
    if (old.served && now.served) reportHurt(old, now);
    reportNarrower(old, now);
  }
  // Objects go where they are stored from now on, and operators that can read them nowhere else read them in a new version.
  const [from, ...moreFrom] = oldStorage ?? [];
  const [to, ...moreTo] = newStorage ?? [];
  const isClear = moreTo.length === 0 && to !== undefined;
  if (isClear && from !== undefined && moreFrom.length === 0 && from.name !== to.name) reportNarrower(from, to);
  for (const now of after.versions) {
    const [anyOld] = before.versions;
    if (!now.served || isAsked(versionOf(before, now.name)) || anyOld === undefined) continue;
    // All old versions have the same schema.
    if ((isClear && now === to) || !areStillAsked) reportHurt(anyOld, now);
    if (!areStillAsked && from !== undefined && moreFrom.length === 0 && from.name !== now.name)
      reportNarrower(from, now);
  }
  return found;
}

/** Versions that can be asked for before, and not afterwards. */
function lost({ before, after }: Change): readonly string[] {
  const left = new Set(after.versions.filter(({ served }) => served).map(({ name }) => name));
  return before.versions.filter(({ name, served }) => served && !left.has(name)).map(({ name }) => name);
}

function specOf({ schema }: Version): Version["schema"]["openAPIV3Schema"]["properties"]["spec"] {
  return schema.openAPIV3Schema.properties.spec;
}

function coloursOf(version: Version): readonly string[] {
  return specOf(version).properties.colour.enum;
}

function needsColour(version: Version): boolean {
  return specOf(version).required?.includes("colour") === true;
}

function isValid({ spec }: JsonObject, version: Version): boolean {
  const { colour } = spec as { readonly colour?: string };
  return colour === undefined ? !needsColour(version) : coloursOf(version).includes(colour);
}

function apisOf(properties: readonly Property[]): readonly string[] {
  return properties.flatMap(({ type, value }) => {
    const api = value as { readonly group: string; readonly version: string; readonly kind: string };
    return type === "olm.gvk" ? [`${api.group}/${api.version}/${api.kind}`] : [];
  });
}

function ownsKind({ owned, properties }: Installed, { group, names }: Written["spec"]): boolean {
  return (owned ?? apisOf(properties)).some((api) => isOfKind(api, group, names.kind));
}

function isOfKind(api: string, group: string, kind: string): boolean {
  return api.startsWith(`${group}/`) && api.endsWith(`/${kind}`);
}

function servedApis(definitions: readonly Written["spec"][]): ReadonlySet<string> {
  return new Set(
    definitions.flatMap((one) => one.versions.filter(({ served }) => served).map(({ name }) => apiText(one, name))),
  );
}

function apiText({ group, names }: Written["spec"], version: string): string {
  return `${group}/${version}/${names.kind}`;
}

function changesBy({ definitions = [] }: Problem, bundle: Bundle): readonly Change[] {
  return broughtBy(bundle).flatMap((after) =>
    definitions.flatMap((there) => {
      const before = specIn(there.definition.object);
      const isSame = before.group === after.group && before.names.kind === after.names.kind;
      return isSame ? [{ there, before, after }] : [];
    }),
  );
}

function broughtBy(bundle: Bundle): readonly Written["spec"][] {
  return manifestsOf(bundle)
    .filter(({ kind }) => kind === "CustomResourceDefinition")
    .map(specIn);
}

function specIn(manifest: JsonObject): Written["spec"] {
  return (manifest as unknown as Written).spec;
}

const known = new WeakMap<Pick<Bundle, "properties">, readonly JsonObject[]>();

function manifestsOf(bundle: Pick<Bundle, "properties">): readonly JsonObject[] {
  let manifests = known.get(bundle);
  if (manifests === undefined) {
    manifests = bundle.properties.flatMap(({ type, value }) => {
      if (type !== "olm.bundle.object") return [];
      const { data } = value as { readonly data: string };
      return [JSON.parse(Buffer.from(data, "base64").toString()) as JsonObject];
    });
    known.set(bundle, manifests);
  }
  return manifests;
}

/** The versions of a kind that the ClusterServiceVersion of a bundle owns. */
function ownedVersions(bundle: Bundle, { names, group }: Written["spec"]): readonly string[] {
  return ownedApis(bundle)
    .filter((api) => isOfKind(api, group, names.kind))
    .map((api) => api.split("/")[1] as string);
}

/** All that it owns; its entries are named `<plural>.<group>`. */
function ownedApis(bundle: Pick<Bundle, "properties">): readonly string[] {
  const csv = manifestsOf(bundle).find(({ kind }) => kind === "ClusterServiceVersion");
  const { customresourcedefinitions } = (csv?.spec ?? {}) as {
    readonly customresourcedefinitions?: {
      readonly owned: readonly { readonly name: string; readonly version: string; readonly kind: string }[];
    };
  };
  return (customresourcedefinitions?.owned ?? []).map(
    ({ name, version, kind }) => `${name.split(".").slice(1).join(".")}/${version}/${kind}`,
  );
}
