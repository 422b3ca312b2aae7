// Which objects do kustomize and the chart render for a controller?

import { readFileSync } from "node:fs";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { caseDocuments } from "../case-documents.ts";
import { CHART, helmOutput } from "./helm.ts";
import { type Kubectl, kubectlOutput } from "./kubectl.ts";

/** The folders that kustomize renders, by controller. */
const BASES = { placement: "deploy/placement", resolution: "deploy/resolution" } as const;
export type Controller = keyof typeof BASES;
export const BASE: string = BASES.placement;
export const RESOLUTION_BASE: string = BASES.resolution;
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
/** Values with which the chart has the resolution controller alone. */
export const RESOLUTION: readonly string[] = [
  ...IMAGE,
  ...["--set", "placement.enabled=false", "--set", "resolution.enabled=true"],
];

/** What the chart renders; `values` are flags of helm, and `home` is its HOME. */
export async function charted(home: string, values: readonly string[] = IMAGE): Promise<Manifests> {
  return manifestsOf(await helmOutput(home, ["template", "plimsoll", CHART, "-n", NAMESPACE, ...values]));
}

/** The pod of the Deployment of a controller, and its container. */
export function podOf(
  manifests: Manifests,
  controller: Controller = "placement",
): { readonly pod: JsonObject; readonly container: JsonObject } {
  const template = partOf(partOf(manifests[`Deployment plimsoll-${controller}`] as JsonObject, "spec"), "template");
  const pod = partOf(template, "spec");
  return { pod, container: (pod.containers as readonly JsonObject[])[0] as JsonObject };
}

const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8"));

/** Labels of objects and of pods that only a release has. */
export const OF_RELEASES: JsonObject = {
  "app.kubernetes.io/instance": "plimsoll",
  "app.kubernetes.io/managed-by": "Helm",
  "app.kubernetes.io/version": VERSION,
  "helm.sh/chart": `plimsoll-${VERSION}`,
};

/** The same object, as kustomize renders it: without the labels of a release, and without flags that change nothing. */
export function asKustomized(
  object: JsonObject,
  withoutDefaults: (args: readonly string[]) => readonly string[],
): JsonObject {
  const kept = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(kept);
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).filter(([name]) => !Object.hasOwn(OF_RELEASES, name));
    return Object.fromEntries(
      fields.map(([name, one]) => [name, name === "args" ? withoutDefaults(one as readonly string[]) : kept(one)]),
    );
  };
  return kept(object) as JsonObject;
}
