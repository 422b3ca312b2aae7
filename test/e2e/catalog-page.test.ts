// Does docs/sources.md show what the command prints? Its blocks are run by a shell, one after the other, in a directory of their own,
// on a registry, a registry with a user, a gRPC registry, a catalogd and a cluster. A block with the name of a file is that file.
// The addresses of the servers are other ones in each run, and the page shows names in their place.
// PLIMSOLL_UPDATE_DOCS=1 npm run test:e2e catalog-page writes the blocks anew.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { exampleDocuments } from "../example-documents.ts";
import { catalogFiles, servedByOpm, writeFiles } from "./catalog-files.ts";
import { startCatalogd } from "./catalogd.ts";
import { startCluster } from "./cluster.ts";
import { COMMAND, startProgram, testFolder } from "./command.ts";
import { crane } from "./crane.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { startOpm } from "./opm.ts";
import { pushBundleImage, pushCatalogImage, pushImage } from "./push-image.ts";
import { startRegistry } from "./registry.ts";
import { startSecureRegistry } from "./secure-registry.ts";

const PAGE = "docs/sources.md";
const BLOCK = /^```(console|sh|json|toml|yaml)(?: (\S+))?\n([\s\S]*?)^```$/gm;

const HARBOUR = exampleDocuments("catalog");
const PARTNER = exampleDocuments("partner-catalog");
/** The registry that the images of the example are in; only its mirror exists. */
const ORIGIN = "registry.example.com";
/** The page has digests of images: they must not depend on how a version of Node compresses. */
const FORM = { compression: "none" } as const;
const USER = { user: "keeper", password: "lamp-oil-7" };
const PULL_SECRET = "meridian-pull";

const folder = testFolder("catalog-page");
const stops: (() => Promise<void>)[] = [];
/** The address of each server, by the name that the page shows. */
const names = new Map<string, string>();
const environment: Record<string, string> = {};

/** Remembers to stop a server. */
async function started<Server extends { stop(): Promise<void> }>(server: Promise<Server>): Promise<Server> {
  const running = await server;
  stops.unshift(() => running.stop());
  return running;
}

beforeAll(async () => {
  const registry = await started(startRegistry());
  const secure = await started(startSecureRegistry({ ...USER, by: "token" }));
  const { address } = registry;
  const harbour = await pushCatalogImage(address, "harbour/catalog:2026-10", catalogFiles(HARBOUR), FORM);
  const partner = await withBundleImages(PARTNER, address);
  await pushCatalogImage(secure.backend, "meridian/catalog:2026-09", catalogFiles(partner), FORM);
  const database = { "operators.operatorframework.io.index.database.v1": "/database/index.db" };
  await pushImage(address, "harbour/old-index:v1", { layers: [], labels: database });
  const opm = await started(startOpm(writeFiles(join(folder, "served"), catalogFiles(servedByOpm(partner)))));
  const cluster = await started(startCluster());
  await loadObjects(cluster.admin, [...documentsOf("test/e2e/crds.yaml"), MIRROR_SETS]);
  await loadObjects(cluster.admin, clusterObjects(address, secure.address));
  const catalogd = await started(startCatalogd(cluster, { image: harbour.reference, name: "harbour" }));
  names.set("registry.harbour.example.com", address);
  names.set("registry.meridian.example.com", secure.address);
  names.set("127.0.0.1:50051", opm.address);
  names.set("127.0.0.1:8443", catalogd.address);
  names.set("https://api.harbour.example.com:6443", cluster.server);
  const user = { token: cluster.tokens.admin as string };
  environment.KUBECONFIG = writeKubeconfig(folder, { server: cluster.server, name: "harbour", user });
  environment.PATH = [makeCommands(cluster.servers), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  mkdirSync(join(folder, "work"));
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** The documents with images of the bundles of hawser, which a registry now has. Its last version needs a newer Kubernetes. */
async function withBundleImages(documents: readonly JsonObject[], address: string): Promise<readonly JsonObject[]> {
  const changed: JsonObject[] = [];
  for (const document of documents) {
    const { schema, package: owner, name } = document;
    if (schema !== "olm.bundle" || owner !== "hawser") {
      changed.push(document);
      continue;
    }
    const version = `${name}`.replace("hawser.v", "");
    const { digest } = await pushBundleImage(address, `meridian/hawser:v${version}`, hawserFiles(version), FORM);
    changed.push({ ...document, image: `${ORIGIN}/meridian/hawser@${digest}` });
  }
  return changed;
}

/** The files of a bundle: JSON is YAML. */
function hawserFiles(version: string): ReadonlyMap<string, string> {
  const bundle = "operators.operatorframework.io.bundle";
  const annotations = {
    [`${bundle}.mediatype.v1`]: "registry+v1",
    [`${bundle}.manifests.v1`]: "manifests/",
    [`${bundle}.metadata.v1`]: "metadata/",
    [`${bundle}.package.v1`]: "hawser",
    [`${bundle}.channels.v1`]: "stable",
  };
  const csv = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: `hawser.v${version}` },
    spec: { version, ...(version === "1.3.0" && { minKubeVersion: "1.31.0" }) },
  };
  return new Map([
    ["manifests/hawser.clusterserviceversion.yaml", JSON.stringify(csv)],
    ["metadata/annotations.yaml", JSON.stringify({ annotations })],
  ]);
}

/** The bundled example: the registry of the test is a mirror for one catalog, and the other one needs a pull secret. */
function clusterObjects(registry: string, secure: string): readonly JsonObject[] {
  const objects = exampleDocuments("cluster")
    .filter(({ kind, metadata }) => kind !== "CatalogSource" || (metadata as JsonObject).name !== "workshop")
    .map((object) => {
      if (object.kind !== "CatalogSource") return object;
      const text = JSON.stringify(object)
        .replace(`${ORIGIN}/meridian`, `${secure}/meridian`)
        .replace('"displayName":"Certified', `"secrets":["${PULL_SECRET}"],"displayName":"Certified`);
      return JSON.parse(text) as JsonObject;
    });
  const auths = { [secure]: { username: USER.user, password: USER.password } };
  return [
    ...[...objects, pullSecret("olm", PULL_SECRET, auths), pullSecret("openshift-config", "pull-secret", {})],
    {
      ...{ apiVersion: "config.openshift.io/v1", kind: "ImageTagMirrorSet", metadata: { name: "harbour" } },
      spec: { imageTagMirrors: [{ source: `${ORIGIN}/harbour`, mirrors: [`${registry}/harbour`] }] },
    },
  ];
}

/** The definition of OpenShift's ImageTagMirrorSet, as far as it is needed. */
const MIRROR_SETS: JsonObject = {
  ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
  metadata: { name: "imagetagmirrorsets.config.openshift.io" },
  spec: {
    ...{ group: "config.openshift.io", scope: "Cluster" },
    names: { kind: "ImageTagMirrorSet", plural: "imagetagmirrorsets", singular: "imagetagmirrorset" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

function pullSecret(namespace: string, name: string, auths: JsonObject): JsonObject {
  return {
    ...{ apiVersion: "v1", kind: "Secret", metadata: { namespace, name } },
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": Buffer.from(JSON.stringify({ auths })).toString("base64") },
  };
}

/** A folder with the commands that the page uses. */
function makeCommands(servers: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const name of ["plimsoll", "kubectl-plimsoll"]) symlinkSync(COMMAND, join(bin, name));
  symlinkSync(crane(), join(bin, "crane"));
  symlinkSync(join(servers, "kubectl"), join(bin, "kubectl"));
  return bin;
}

/** A text of the page with the addresses of the servers. */
function real(text: string): string {
  return [...names].reduce((changed, [name, address]) => changed.replaceAll(name, address), text);
}

/** What was printed, with the names of the page. */
function shown(text: string): string {
  return [...names].reduce((changed, [name, address]) => changed.replaceAll(address, name), text);
}

/** What a line prints in a shell, with its exit code if that is not 0. */
async function printed(line: string): Promise<string> {
  const script = `cd ${join(folder, "work")} && ${real(line)}`;
  const { code, out, err } = await startProgram("/bin/sh", ["-c", script], folder, environment).ended;
  return shown(`${err}${out}${code === 0 ? "" : `(exit ${code})\n`}`);
}

/** The block as it has to be, after its commands were run. */
async function done(kind: string, content: string): Promise<string> {
  if (kind === "sh") expect(await printed(content)).toBe("");
  if (kind !== "console") return content;
  let text = "";
  for (const line of content.split("\n").filter((one) => one.startsWith("$ ")))
    text += `${line}\n${await printed(line.slice(2))}`;
  return text;
}

test(`the commands of ${PAGE} print what it shows`, async () => {
  const text = readFileSync(PAGE, "utf8");
  const blocks = [...text.matchAll(BLOCK)];
  expect(blocks.filter(([, kind]) => kind === "console").length).toBeGreaterThan(9);
  for (const [, , file, content = ""] of blocks)
    if (file !== undefined) writeFileSync(join(folder, "work", file), real(content));
  let updated = text;
  for (const [block, kind = "", , content = ""] of blocks) {
    const now = await done(kind, content);
    if (process.env.PLIMSOLL_UPDATE_DOCS === "1")
      updated = updated.replace(block, () => block.replace(content, () => now));
    else expect(now).toBe(content);
  }
  if (updated !== text) writeFileSync(PAGE, updated);
});
