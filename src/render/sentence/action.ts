// What is done to the cluster in a step of a plan? One action in words, without a full stop.

import { shortLoss } from "../../crd/rewrite-loss.ts";
import type { Action, ActionDetail, ActionVerb } from "../../plan/plan.ts";
import { counted } from "../../text/words.ts";
import { lossText, named, namedAll } from "./crd-words.ts";

export interface ActionNames {
  /** How the bundle is named; by default, its name. */
  readonly bundle?: string | undefined;
  /** An object of a namespace is named with it. */
  readonly withNamespace?: boolean | undefined;
}

export function actionText(action: Action, names: ActionNames = {}): string {
  const { verb, kind, name, namespace, detail } = action;
  const bundle = names.bundle ?? named(action.bundle ?? "");
  const isPlaced = namespace !== undefined && (names.withNamespace === true || detail.kind === "removal");
  const prefix = `${named(kind)} ${isPlaced ? `${named(namespace)}/` : ""}`;
  const object = `${prefix}${named(name)}`;
  switch (detail.kind) {
    case "object":
      return objectText(verb, object, bundle);
    case "operator":
      return detail.replaced.length === 0
        ? `create ${object}`
        : `replace ${prefix}${namedAll(detail.replaced)} by ${named(name)}`;
    case "content":
      return contentText(detail, bundle);
    case "stored-objects":
      return rewriteText(detail, name, bundle);
    case "stored-versions":
      return `set status.storedVersions of ${named(name)} to [${detail.versions.map(named).join(", ")}] before ${bundle} comes`;
    case "subscription":
      return `create ${object} for package ${named(detail.package)}, channel ${named(detail.channel)} of catalog ${named(detail.source)}`;
    case "extension":
      return extensionText(detail, verb, object);
    case "removal":
      return kind === "Subscription"
        ? `delete ${object} of ${named(detail.operator)}`
        : `delete ${object}; its CustomResourceDefinitions and their objects stay`;
  }
}

function extensionText(
  { package: owner, version, isCreated }: Detail<"extension">,
  verb: ActionVerb,
  object: string,
): string {
  if (verb === "create")
    return `create a ClusterExtension for package ${named(owner)} with version ${named(version)} (its namespace and service account are yours to choose)`;
  const whose = isCreated ? `the ClusterExtension for package ${named(owner)}` : object;
  return `set spec.source.catalog.version of ${whose} to ${named(version)}`;
}

function objectText(verb: ActionVerb, object: string, bundle: string): string {
  if (verb === "create") return `create ${object} of ${bundle}`;
  if (verb === "update") return `update ${object} to what ${bundle} has`;
  return `create ${object} of ${bundle}, or update it if it exists`;
}

type Detail<Kind extends ActionDetail["kind"]> = Extract<ActionDetail, { readonly kind: Kind }>;

function contentText({ missing, unreadable, image }: Detail<"content">, bundle: string): string {
  if (missing === "everything")
    return image === ""
      ? `find out what ${bundle} brings: the catalog has neither its manifests nor its image`
      : `unpack ${image}, which has the manifests of ${bundle}`;
  const lacking =
    missing === "operator"
      ? "the ClusterServiceVersion is not among the manifests"
      : `${counted(unreadable, "manifest")} cannot be read`;
  const remedy = image === "" ? "there is no image to unpack" : `unpack ${image}`;
  return `find out what else ${bundle} brings: ${lacking}; ${remedy}`;
}

function rewriteText(detail: Detail<"stored-objects">, name: string, bundle: string): string {
  const { allNamespaces, count, storage, removed, loss } = detail;
  const all = `every object of ${named(name)}${allNamespaces ? " in all namespaces" : ""}`;
  const known = count === undefined ? "" : ` (${count})`;
  const lost = loss.length === 0 ? "" : `; where an object has it, this loses ${lossText(shortLoss(loss))}`;
  return `write ${all}${known} again before ${bundle} comes, unchanged, so that it is stored in ${named(storage)} and no longer in ${namedAll(removed)}${lost}`;
}
