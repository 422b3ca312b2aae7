// Which actions install a bundle? Each of its objects is created, or updated if it exists.

import { type Bundle, kindKey } from "../../model/catalog.ts";
import { PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { type JsonObject, own, partOf } from "../../model/json.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { type ChosenBundle, goneIn } from "../../resolve/state-after.ts";
import { ownsKind } from "../../rule/crd/api-needs.ts";
import type { Action, ActionVerb } from "../plan.ts";
import type { PlannedChange } from "../plan-draft.ts";
import { type BundleContent, type BundleObject, contentOf, objectKey, propertiesText } from "./bundle-content.ts";

/** The order of actions: a stage may depend on those before it. */
export const STAGES = ["unpack", "definitions", "access", "operators", "others", "subscriptions", "removal"] as const;
export type Stage = (typeof STAGES)[number];

/** An action and its stage. */
export interface StagedAction {
  readonly stage: Stage;
  readonly action: Action;
}

/** A change that installs a bundle. */
export interface Arrival {
  readonly change: PlannedChange;
  readonly to: ChosenBundle;
}

const MAX_NAME_LENGTH = 253;

/** Is it a valid Kubernetes name? Anything else could be special to a shell. */
export function isPlain(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name);
}

/** The actions that install a bundle. The problem is the one before. */
export function bundleActions({ change, to }: Arrival, problem: Problem): readonly StagedAction[] {
  const { bundle } = to;
  const content = contentOf(bundle, problem.namespace);
  const before = formerContents(change, to, problem);
  return [
    ...(content.isWhole ? [] : [{ stage: "unpack" as const, action: unpacking(bundle, content) }]),
    { stage: "operators", action: operatorAction(bundle, content, change, problem.namespace) },
    ...content.objects.map((object): StagedAction => {
      const verb = isDefinition(object) ? definitionVerb(object, before, problem) : objectVerb(object, before);
      return { stage: stageOf(object), action: objectAction(verb, object, bundle, problem.namespace) };
    }),
  ];
}

/** The bundle of an installed operator, if a catalog has it; its successor's catalog is searched first. */
function formerBundle({ name, package: owner }: Installed, to: ChosenBundle, problem: Problem): Bundle | undefined {
  const catalogs = [to.catalog, ...problem.catalogs.filter((one) => one !== to.catalog)];
  for (const { packages } of catalogs)
    for (const one of new Set([owner ?? to.bundle.package, to.bundle.package])) {
      const bundle = packages.get(one)?.bundles.get(name);
      if (bundle !== undefined) return bundle;
    }
  return undefined;
}

/** The content of a replaced bundle; undefined if no catalog has it. */
type Former = BundleContent | undefined;

function formerContents(change: PlannedChange, to: ChosenBundle, problem: Problem): readonly Former[] {
  return goneIn(change).map((one) => {
    const bundle = formerBundle(one, to, problem);
    return bundle && contentOf(bundle, problem.namespace);
  });
}

function stageOf(object: BundleObject): Stage {
  if (isDefinition(object)) return "definitions";
  return isAccess(object) ? "access" : "others";
}

function isDefinition({ kind }: BundleObject): boolean {
  return kind === "CustomResourceDefinition";
}

const ACCESS = ["ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"];

function isAccess({ kind, group }: BundleObject): boolean {
  return ACCESS.includes(kind) && (group === "" || group === "rbac.authorization.k8s.io");
}

/** A definition exists if the cluster has it, an operator runs its kind, or a replaced bundle contained it. */
function definitionVerb(object: BundleObject, before: readonly Former[], problem: Problem): ActionVerb {
  const { definitions = [], installed, elsewhere } = problem;
  const spec = partOf(object.manifest, "spec");
  const [group, kind] = [own(spec, "group"), own(partOf(spec, "names"), "kind")];
  const key = kindKey({ group: typeof group === "string" ? group : "", kind: typeof kind === "string" ? kind : "" });
  const isThere =
    definitions.some(({ definition }) => definition.name === object.name) ||
    [...installed, ...elsewhere].some((one) => ownsKind(one, key)) ||
    wasThere(object, before);
  return isThere ? "update" : "create";
}

/** Any other object exists if a replaced bundle contained it. */
function objectVerb(object: BundleObject, before: readonly Former[]): ActionVerb {
  if (wasThere(object, before)) return "update";
  return before.every((content) => content?.isWhole) ? "create" : "apply";
}

function wasThere(object: BundleObject, before: readonly Former[]): boolean {
  const key = objectKey(object);
  return before.some((content) => content?.objects.some((one) => objectKey(one) === key));
}

/** Cluster-scoped kinds. */
const OF_THE_CLUSTER = new Set([
  ...["APIService", "CSIDriver", "ClusterRole", "ClusterRoleBinding", "ConsoleCLIDownload", "ConsoleLink"],
  ...["ConsolePlugin", "ConsoleQuickStart", "ConsoleYAMLSample", "CustomResourceDefinition", "FlowSchema"],
  ...["IngressClass", "MutatingWebhookConfiguration", "Namespace", "PersistentVolume", "PriorityClass"],
  ...["PriorityLevelConfiguration", "RuntimeClass", "SecurityContextConstraints", "StorageClass"],
  ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"],
]);

function objectAction(verb: ActionVerb, { kind, name, manifest }: BundleObject, bundle: Bundle, here: string): Action {
  return {
    verb,
    kind,
    name,
    ...(!OF_THE_CLUSTER.has(kind) && { namespace: here }),
    bundle: bundle.name,
    detail: { kind: "object" },
    manifest,
  };
}

/** The ClusterServiceVersion replaces the installed one, even if its own `replaces` names another (OLM case E29). */
function operatorAction(bundle: Bundle, { csv }: BundleContent, change: PlannedChange, namespace: string): Action {
  const { name } = bundle;
  const former = goneIn(change).map((one) => one.name);
  return {
    verb: former.length === 0 ? "create" : "replace",
    kind: "ClusterServiceVersion",
    name,
    namespace,
    bundle: name,
    detail: { kind: "operator", replaced: former },
    ...(csv !== undefined && { manifest: installedAs(csv.manifest, bundle, namespace, former[0]) }),
  };
}

/** The ClusterServiceVersion as OLM creates it: with its namespace, the properties of the bundle, and `replaces`. */
function installedAs(
  manifest: JsonObject,
  { properties }: Bundle,
  namespace: string,
  former: string | undefined,
): JsonObject {
  const metadata = partOf(manifest, "metadata");
  const annotations = { ...partOf(metadata, "annotations"), [PROPERTIES_ANNOTATION]: propertiesText(properties) };
  return {
    ...manifest,
    metadata: { ...metadata, namespace, annotations },
    ...(former !== undefined && { spec: { ...partOf(manifest, "spec"), replaces: former } }),
  };
}

/** What is not among the properties of a bundle is in its image (OLM case E08). */
function unpacking({ name, image, properties }: Bundle, { csv, objects, unreadable }: BundleContent): Action {
  const isKnown = csv !== undefined || objects.length > 0 || unreadable > 0;
  const missing = !isKnown ? "everything" : unreadable === 0 ? "operator" : "manifests";
  const detail = { kind: "content", missing, unreadable, image, properties: propertiesText(properties) } as const;
  return { verb: "unpack", kind: "Bundle", name, bundle: name, detail };
}
