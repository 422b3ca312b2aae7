// How would a bundle change the CRDs of the cluster? Its CustomResourceDefinitions replace the present ones: src/crd
// checks whether that loses or breaks anything, once for each bundle that may be chosen.

import { bundleDefinitions } from "../../constraint/bundle-definitions.ts";
import { providedApis } from "../../constraint/provided-apis.ts";
import { checkUpgrade } from "../../crd/check-upgrade.ts";
import { type CrdFinding, statementOf } from "../../crd/finding.ts";
import type { CrdCode } from "../../crd/finding-codes.ts";
import { type Loss, rewriteLoss, shortLoss } from "../../crd/rewrite-loss.ts";
import { type ApiUser, NOTHING_KNOWN, type SeverityChoices } from "../../crd/upgrade/circumstances.ts";
import { storageVersions } from "../../crd/upgrade/definition-change.ts";
import { type Bundle, type Gvk, gvkKey, gvkOf, kindKey } from "../../model/catalog.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { definitionOf } from "../../model/definition-of.ts";
import type { Severity } from "../../model/finding.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Place } from "../../model/place.ts";
import type { ClusterDefinition, Installed, Problem, ResolveOptions } from "../../model/problem.ts";
import { printVersion } from "../../semver/version.ts";
import type { CrdRemedy, CrdUpgradeDetail } from "../crd-upgrade.ts";
import {
  type Brought,
  type Needing,
  ownedApis,
  ownersOfKind,
  ownsKind,
  propertiesOf,
  type RequirementReader,
  requiredApis,
} from "./api-needs.ts";
import { type RemedyContext, remedyFor } from "./crd-remedy.ts";

/** A CRD of the cluster, and its owners and users in other namespaces. */
interface Kind extends ClusterDefinition {
  /** As the manifests of bundles are read: numbers of a schema have 53 bits. */
  readonly before: CustomResourceDefinition;
  readonly owners: ReadonlySet<string>;
  readonly requiredBy: readonly ApiUser[];
  readonly ownedBy: readonly ApiUser[];
}

/** What is known about catalogs. */
export interface CrdWorld extends RequirementReader {
  /** The versions of a package on chains. */
  versionsOf(owner: string): readonly Bundle[];
}

/** Changes of CRDs on one cluster. */
export class CrdChanges {
  readonly #world: CrdWorld;
  readonly #problem: Problem;
  readonly #severities: SeverityChoices;
  readonly #unchecked: ReadonlySet<string>;
  /** Empty with --compat: OLM does not check them. */
  readonly #definitions: readonly ClusterDefinition[];
  readonly #byName: ReadonlyMap<string, ClusterDefinition>;
  readonly #byKind: ReadonlyMap<string, ClusterDefinition>;
  readonly #kinds = new Map<ClusterDefinition, Kind>();
  readonly #findings = new Map<Brought, readonly CrdFinding[]>();
  /** Bundles from which definitions were assumed, by name. */
  readonly #sources = new Map<string, OperatorRef>();

  constructor(world: CrdWorld, problem: Problem) {
    this.#world = world;
    this.#problem = problem;
    this.#severities = severityChoices(problem.options);
    this.#unchecked = new Set(uncheckedPackages(problem));
    this.#definitions = problem.options.compat ? [] : (problem.definitions ?? []);
    this.#byName = new Map(this.#definitions.map((one) => [one.definition.name, one]));
    this.#byKind = new Map(this.#definitions.map((one) => [kindKey(one.definition), one]));
  }

  /** All findings about the changes of a bundle, by definition. */
  findingsOf(node: Brought): readonly CrdFinding[] {
    return getOrAdd(this.#findings, node, () => {
      const found = this.#changesOf(node).flatMap(({ kind, after }) => this.#check(node, kind, after));
      return this.#unchecked.has(node.bundle.package) ? found.map(asWarning) : found;
    });
  }

  /** The installed bundle from which a definition was assumed; undefined if it was given. */
  assumedFrom(definition: string): OperatorRef | undefined {
    const name = this.#byName.get(definition)?.assumedFrom;
    if (name === undefined) return undefined;
    return getOrAdd(this.#sources, name, () => bundleCalled(name, this.#problem.catalogs));
  }

  /** Why a bundle cannot change them so. */
  refusalOf(node: Brought): CrdUpgradeDetail | undefined {
    if (this.#definitions.length === 0) return undefined;
    const all = this.#errorsOf(node);
    const [first] = all;
    if (first === undefined) return undefined;
    const { crd } = first;
    const loses = this.#lossOf(crd, all);
    const objections = all.slice(0, MAX_OBJECTIONS).map((one) => ({
      finding: statementOf(one),
      ...(isOfStored(one) && loses.fields.length > 0 && { loses }),
    }));
    const assumedFrom = this.assumedFrom(crd);
    const more = all.length - objections.length;
    return { rule: "crd-upgrade", crd, ...(assumedFrom !== undefined && { assumedFrom }), objections, more };
  }

  /** Everything that must be done first on the cluster, in order; undefined if that would not be enough. */
  remediesFor(node: Brought): readonly CrdRemedy[] | undefined {
    const all = this.#errorsOf(node).toSorted((a, b) => stepOf(a) - stepOf(b));
    const there = this.#byName.get(all[0]?.crd ?? "");
    const [storage, ...others] = there === undefined ? [] : storageVersions(there.definition);
    const where: RemedyContext = {
      world: this.#world,
      node,
      areKnown: there?.objects !== undefined,
      storage: others.length === 0 ? storage : undefined,
      loses: this.#lossOf(there?.definition.name ?? "", all),
    };
    const remedies = all.flatMap((one) => remedyFor(one, where) ?? []);
    return remedies.length === all.length ? remedies : undefined;
  }

  /** The errors about the first definition that has any. */
  #errorsOf(node: Brought): readonly CrdFinding[] {
    const errors = this.findingsOf(node).filter(({ severity }) => severity === "error");
    const own = errors.filter(({ crd }) => crd === errors[0]?.crd);
    // An effect on objects is a better reason than the schema change that causes it, which is less severe without it.
    return own.some(isOfObject) ? own.filter((one) => !isOfSchema(one)) : own;
  }

  /** What rewriting every object of a definition would lose, if an error is about how they are stored. */
  #lossOf(crd: string, errors: readonly CrdFinding[]): Loss {
    const there = this.#byName.get(crd);
    return shortLoss(there !== undefined && errors.some(isOfStored) ? this.#lossIn(there) : []);
  }

  /**
   * The APIs that a participant requires or owns and a bundle of another package does not serve, although it defines
   * their kind. What an installed operator needs counts if the cluster serves it now: otherwise it was broken before.
   */
  missing(user: Needing, { bundle, provides }: Brought): readonly string[] {
    if (this.#problem.options.compat) return [];
    const { definitions } = bundleDefinitions(bundle.properties);
    if (definitions.length === 0) return [];
    const isMissing = (api: Gvk): boolean => {
      const key = kindKey(api);
      const after = definitions.find((one) => kindKey(one) === key);
      if (after === undefined || serves(after, api)) return false;
      const before = this.#byKind.get(key);
      // A kind that a bundle does not declare matters only if it is on the cluster.
      if (before === undefined && !provides.some((one) => kindKey(gvkOf(one)) === key)) return false;
      return "bundle" in user || (before !== undefined && serves(before.definition, api));
    };
    const needed = [
      ...(this.#isError("CRD103") ? requiredApis(this.#world, propertiesOf(user)) : []),
      ...(this.#isError("CRD106") ? ownedApis(user) : []),
    ];
    return [...new Set(needed.filter(isMissing).map(gvkKey))];
  }

  #isError(code: CrdCode): boolean {
    return (this.#severities.get(code) ?? "error") === "error";
  }

  /** The APIs that a bundle requires and the cluster does not serve, although it has their kind. */
  notServed({ bundle }: Brought): readonly string[] {
    const apis = requiredApis(this.#world, bundle.properties).filter((api) => {
      const there = this.#byKind.get(kindKey(api));
      return there !== undefined && !serves(there.definition, api);
    });
    return [...new Set(apis.map(gvkKey))];
  }

  /** The definitions of the cluster that a bundle provides, and that it may change in an unknown way. */
  notChecked({ bundle, provides }: Brought): readonly string[] {
    const { definitions, isWhole } = bundleDefinitions(bundle.properties);
    if (definitions.length > 0 && isWhole) return [];
    const brought = new Set(definitions.map(kindKey));
    const kinds = new Set(provides.map((api) => kindKey(gvkOf(api))));
    return this.#definitions
      .filter(({ definition }) => kinds.has(kindKey(definition)) && !brought.has(kindKey(definition)))
      .map(({ definition }) => definition.name);
  }

  /** The kinds that a bundle defines, or may define, cheaply. OLM does not check them. */
  broughtKinds({ bundle, provides }: Brought): readonly string[] {
    if (this.#problem.options.compat) return [];
    // The manifests are read only if the cluster has definitions.
    const inside = this.#definitions.length === 0 ? [] : bundleDefinitions(bundle.properties).definitions;
    return [...new Set([...provides.map((api) => kindKey(gvkOf(api))), ...inside.map(kindKey)])];
  }

  /** The definitions of a bundle that are on the cluster, by name or kind. */
  #changesOf({ bundle }: Brought): readonly { readonly kind: Kind; readonly after: CustomResourceDefinition }[] {
    if (this.#definitions.length === 0) return [];
    // A manifest inside a property has no lines: its findings are placed at the bundle.
    const place: Place = { ...bundle.place, exact: true };
    return bundleDefinitions(bundle.properties).definitions.flatMap((definition) => {
      const there = this.#byName.get(definition.name) ?? this.#byKind.get(kindKey(definition));
      return there === undefined
        ? []
        : [{ kind: getOrAdd(this.#kinds, there, () => this.#kindOf(there)), after: { ...definition, place } }];
    });
  }

  /** What is lost when every object is rewritten, regardless of configured severities. */
  #lossIn({ definition, objects, isPartial }: ClusterDefinition): readonly CrdFinding[] {
    const owners = ownersOfKind(this.#problem, kindKey(definition));
    const severities = this.#severities;
    return rewriteLoss(definition, definition.storedVersions, {
      owners,
      objects,
      isPartial: isPartial === true,
      severities,
    });
  }

  #kindOf(given: ClusterDefinition): Kind {
    const key = kindKey(given.definition);
    const { elsewhere } = this.#problem;
    const usersOf = (apisOf: (operator: Installed) => readonly Gvk[]): readonly ApiUser[] =>
      elsewhere.flatMap((operator) =>
        apisOf(operator)
          .filter((api) => kindKey(api) === key)
          .map((api) => ({ ...api, by: nameOf(operator), runsIn: operator.namespace })),
      );
    const owners = elsewhere.filter((one) => ownsKind(one, key));
    return {
      ...given,
      before: rounded(given.definition),
      owners: new Set(owners.map((one) => JSON.stringify([one.namespace, one.package ?? one.name]))),
      requiredBy: usersOf(({ properties }) => requiredApis(this.#world, properties)),
      ownedBy: usersOf(ownedApis),
    };
  }

  #check({ bundle, provides }: Brought, kind: Kind, after: CustomResourceDefinition): readonly CrdFinding[] {
    const { owned } = bundleDefinitions(bundle.properties);
    const beside = this.#problem.installed.filter(
      (one) => ownsKind(one, kindKey(kind.before)) && isBeside(one, bundle.package, provides),
    );
    return checkUpgrade(kind.before, after, {
      ...NOTHING_KNOWN,
      // The bundle is one owner, together with what it replaces.
      owners: 1 + kind.owners.size + new Set(beside.map((one) => one.package ?? one.name)).size,
      objects: kind.objects,
      isPartial: kind.isPartial === true,
      requiredBy: kind.requiredBy,
      ownedBy: kind.ownedBy,
      owned: owned?.map((api) => ({ ...gvkOf(api), by: "it" })),
      severities: this.#severities,
    });
  }
}

/** Can an operator run next to a bundle of a package? Not if both provide an API: then one replaces the other. */
function isBeside(installed: Installed, owner: string, provides: readonly string[]): boolean {
  return installed.package !== owner && !providedApis(installed.properties).some((api) => provides.includes(api));
}

/** The facts about a namespace's operators that matter for changes of its CRDs, as a key. */
export function ownersHere({ installed, definitions = [] }: Problem): string {
  if (definitions.length === 0) return "";
  const kinds = definitions.map(({ definition }) => kindKey(definition));
  const owners = installed.filter((one) => kinds.some((kind) => ownsKind(one, kind)));
  return JSON.stringify(owners.map(({ name, owned }) => [name, owned ?? null]));
}

/** Number of objections reported; the rest is counted. */
const MAX_OBJECTIONS = 5;

/** Users of a version are updated, then it is no longer served, then nothing is stored in it. */
const STEPS: readonly string[] = ["CRD103", "CRD106", "CRD102", "CRD101", "CRD119"];

function stepOf({ code }: CrdFinding): number {
  const step = STEPS.indexOf(code);
  return step === -1 ? STEPS.length : step;
}

/** Would it be resolved by rewriting every object? */
function isOfStored({ code }: CrdFinding): boolean {
  return code === "CRD101" || code === "CRD119";
}

/** Is it about a difference of schemas? */
function isOfSchema({ code }: CrdFinding): boolean {
  return code.startsWith("CRD2");
}

function isOfObject({ code }: CrdFinding): boolean {
  return code.startsWith("CRD3");
}

function serves({ versions }: CustomResourceDefinition, { version }: Gvk): boolean {
  return versions.some(({ name, served }) => name === version && served);
}

/** The definition as read from a manifest. */
function rounded({ object, apiVersion, place, storedVersions }: CustomResourceDefinition): CustomResourceDefinition {
  return { ...definitionOf(JSON.parse(canonicalText(object)) as JsonObject, apiVersion, place), storedVersions };
}

function nameOf({ package: owner, name, version }: Installed): string {
  return owner === undefined || version === undefined ? name : `${owner} ${printVersion(version)}`;
}

/** The packages whose ClusterExtension lets every change of a CRD pass (crdUpgradeSafety: None), sorted. */
export function uncheckedPackages({ requests }: Pick<Problem, "requests">): readonly string[] {
  const unchecked = requests.filter(({ extension }) => extension?.crdUpgradeSafety === "None");
  return [...new Set(unchecked.map((request) => request.package))].sort(compareText);
}

function asWarning(finding: CrdFinding): CrdFinding {
  return finding.severity === "error" ? { ...finding, severity: "warning" } : finding;
}

/** The configured severities of findings, by code. */
export function severityChoices({ crdSeverities = {} }: ResolveOptions): SeverityChoices {
  return new Map(Object.entries(crdSeverities) as [CrdCode, Severity | "off"][]);
}

/** The first bundle of a name, with its package and version if a catalog has it. */
function bundleCalled(name: string, catalogs: Problem["catalogs"]): OperatorRef {
  for (const { packages } of catalogs)
    for (const { bundles } of packages.values()) {
      const bundle = bundles.get(name);
      if (bundle !== undefined) return { name, package: bundle.package, version: printVersion(bundle.version) };
    }
  return { name };
}
