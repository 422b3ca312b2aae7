// How does a test get a catalogd? OLM v1's own, on loopback, against the API server of a test, with images of a registry on
// loopback.
//
// It believes that it runs in a pod and reads the token of its service account from a fixed path, so it runs in a mount namespace
// of its own (unshare, of util-linux). Its server for webhooks listens on all interfaces; nothing calls it.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { CERTIFICATES } from "../certificates.ts";
import type { ApiClient } from "./api-client.ts";
import { catalogServers } from "./catalog-servers.ts";
import type { Cluster } from "./cluster.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { freePorts, Processes, withFreePorts } from "./processes.ts";

/** What a test wants of its catalogd. */
export interface CatalogdOptions {
  /** The catalog image, in a registry on loopback that speaks plain HTTP: ADDRESS/NAME:TAG. */
  readonly image: string;
  /** The name of the ClusterCatalog. */
  readonly name: string;
  /** The host that the status of the ClusterCatalog names; its own address if it is not given. */
  readonly externalAddress?: string;
}

/** A running catalogd. */
export interface Catalogd {
  /** Where it serves the catalog: `api/v1/all` is below. Its certificate is of the authority of `test/certificates`. */
  readonly url: string;
  /** 127.0.0.1:PORT */
  readonly address: string;
  stop(): Promise<void>;
}

const CATALOGS = "/apis/olm.operatorframework.io/v1/clustercatalogs";
const NAMESPACE = "default";
const ACCOUNT = "catalogd";

/** Creates a ClusterCatalog in a cluster of the test's own, and starts the catalogd that serves it. */
export async function startCatalogd(cluster: Cluster, options: CatalogdOptions): Promise<Catalogd> {
  checkUnshare();
  await defineCatalogs(cluster.admin);
  const { image, name } = options;
  const source = { type: "Image", image: { ref: image } };
  const catalog = { apiVersion: "olm.operatorframework.io/v1", kind: "ClusterCatalog", metadata: { name } };
  await loadObjects(cluster.admin, [{ ...catalog, spec: { source } }]);
  return withFreePorts(() => startOnce(cluster, options));
}

async function startOnce(cluster: Cluster, { image, name, externalAddress }: CatalogdOptions): Promise<Catalogd> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-catalogd-"));
  const processes = new Processes(folder);
  try {
    const [port, metrics, webhooks] = (await freePorts(3)) as [number, number, number];
    const address = `127.0.0.1:${port}`;
    const external = externalAddress ?? address;
    const token = join(folder, "token");
    writeFileSync(token, await accountToken(cluster.admin), { mode: 0o600 });
    const home = join(folder, "home");
    writeRegistries(home, image);
    const kubeconfig = writeKubeconfig(folder, {
      server: cluster.server,
      name: "admin",
      user: { token: cluster.tokens.admin as string },
    });
    processes.start({
      name: "catalogd",
      path: "unshare",
      flags: [
        ...inPod(token),
        join(catalogServers(), "catalogd"),
        `--cache-dir=${join(folder, "cache")}`, // it empties this folder; the default is in /var
        `--system-namespace=${NAMESPACE}`,
        `--tls-cert=${join(CERTIFICATES, "server.crt")}`,
        `--tls-key=${join(CERTIFICATES, "server.key")}`,
        `--catalogs-server-addr=${address}`,
        `--external-address=${external}`,
        "--health-probe-bind-address=0",
        `--metrics-bind-address=127.0.0.1:${metrics}`,
        `--webhook-server-port=${webhooks}`,
      ],
      environment: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: folder, KUBECONFIG: kubeconfig },
    });
    const isServed = async (): Promise<boolean> => isServing(await cluster.admin.get(`${CATALOGS}/${name}`), external);
    await processes.until(`catalogd serves the ClusterCatalog ${name}`, isServed);
    return { url: `https://${address}/catalogs/${name}`, address, stop: () => processes.endAll() };
  } catch (error) {
    await processes.endAll();
    throw error;
  }
}

/** The CRD as catalogd ships it, unless the cluster has one: that of crds.yaml is sufficient. */
async function defineCatalogs(admin: ApiClient): Promise<void> {
  if ((await admin.status(CATALOGS)) === 200) return;
  const folder = join(catalogServers(), "crds");
  const definitions = readdirSync(folder).flatMap((file) => documentsOf(join(folder, file)));
  await loadObjects(admin, definitions);
}

/** A token of the service account that catalogd believes to have. */
async function accountToken(admin: ApiClient): Promise<string> {
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: ACCOUNT } };
  const created = await admin.call("POST", accounts, account);
  if (created.status !== 201 && created.status !== 409)
    throw new Error(`ServiceAccount ${ACCOUNT}: ${created.status} ${created.body.message}`);
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 86_400 } };
  const { status, body } = await admin.call("POST", `${accounts}/${ACCOUNT}/token`, request);
  if (status !== 201) throw new Error(`a token of ServiceAccount ${ACCOUNT}: ${status} ${body.message}`);
  return partOf(body, "status").token as string;
}

/** The registry speaks plain HTTP; the image library of catalogd reads that from the home that it is given. */
function writeRegistries(home: string, image: string): void {
  const folder = join(home, ".config", "containers");
  mkdirSync(folder, { recursive: true });
  const [registry] = image.split("/");
  writeFileSync(join(folder, "registries.conf"), `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`);
}

/** Flags of unshare that let a program see a token where a pod has it; the program and its flags follow. */
function inPod(token: string): readonly string[] {
  const folder = "/run/secrets/kubernetes.io/serviceaccount";
  const script = `mount -t tmpfs tmpfs /run && mkdir -p ${folder} && cp "$0" ${folder}/token && exec "$@"`;
  return [...UNSHARE_FLAGS, "sh", "-c", script, token];
}

/** A user who is not root needs a namespace of users, too. */
export const UNSHARE_FLAGS: readonly string[] = [...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--mount"];

function checkUnshare(): void {
  const { status, error, stderr } = spawnSync("unshare", [...UNSHARE_FLAGS, "sh", "-c", "mount -t tmpfs tmpfs /run"], {
    encoding: "utf8",
  });
  if (status === 0) return;
  const reason = error === undefined ? stderr.trim() : "unshare, of util-linux, is not installed";
  throw new Error(
    `catalogd needs a mount namespace of its own, which cannot be had here: ${reason}; run the tests on Linux, as root or where users may create namespaces`,
  );
}

/** Whether the status of a ClusterCatalog is that of this catalogd: it may still be of an earlier one. */
function isServing(catalog: JsonObject, external: string): boolean {
  const { base } = partOf(partOf(catalog, "status"), "urls");
  const { conditions } = partOf(catalog, "status");
  return (
    `${base}`.startsWith(`https://${external}/`) &&
    isList(conditions) &&
    conditions.some((one) => isObject(one) && one.type === "Serving" && one.status === "True")
  );
}
