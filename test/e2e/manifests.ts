// Which objects do kustomize and the chart render for the placement controller?

import { type JsonObject, partOf } from "../../src/model/json.ts";
import { caseDocuments } from "../case-documents.ts";
import { CHART, helmOutput } from "./helm.ts";
import { type Kubectl, kubectlOutput } from "./kubectl.ts";

/** The folder that kustomize renders. */
export const BASE = "deploy/placement";
export const NAMESPACE = "plimsoll-system";

/** Objects by kind and name. */
export type Manifests = Readonly<Record<string, JsonObject>>;

function manifestsOf(text: string): Manifests {
  const objects = caseDocuments("rendered", Buffer.from(text), (value) => value);
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${partOf(object, "metadata").name}`, object]));
}

/** What kustomize renders, by default without an overlay. */
export async function kustomized(kubectl: Kubectl, folder: string = BASE): Promise<Manifests> {
  return manifestsOf(await kubectlOutput(kubectl, ["kustomize", folder]));
}

/** The chart has no image of its own. */
export const IMAGE: readonly string[] = ["--set", "image.repository=plimsoll"];

/** What the chart renders; `values` are flags of helm, and `home` is its HOME. */
export async function charted(home: string, values: readonly string[] = IMAGE): Promise<Manifests> {
  return manifestsOf(await helmOutput(home, ["template", "plimsoll", CHART, "-n", NAMESPACE, ...values]));
}

/** The pod of the Deployment, and its container. */
export function podOf(manifests: Manifests): { readonly pod: JsonObject; readonly container: JsonObject } {
  const template = partOf(partOf(manifests["Deployment plimsoll-placement"] as JsonObject, "spec"), "template");
  const pod = partOf(template, "spec");
  return { pod, container: (pod.containers as readonly JsonObject[])[0] as JsonObject };
}
