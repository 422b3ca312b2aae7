// How does a test get a real Kubernetes API server? As processes on loopback: etcd and kube-apiserver with RBAC, in a
// temporary folder, with the controllers of Kubernetes that a test wants. `npm run test:e2e` finds or builds them and names their
// folder in KUBEBUILDER_ASSETS.
//
// The administrator is a static token of the group system:masters. Other users have a token each and no rights. For what
// happens to real servers: `restartApiServer` is an outage with the same address and data, `killApiServer` a crash,
// `forgetHistory` lets every older resourceVersion and continue token expire (410), as after a compaction of etcd, and with a
// quota (`quotaFlag`) etcd is full until `makeRoom`.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CERTIFICATES } from "../certificates.ts";
import { type ApiClient, openClient } from "./api-client.ts";
import { compact, makeRoom } from "./etcd.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { freePorts, Processes, withFreePorts } from "./processes.ts";

/** Where a cluster is, and who may talk to it: plain data that can be passed to a test in another thread. */
export interface ClusterAddress {
  readonly server: string;
  /** The tokens of `admin` and of the other users, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The folder of the executables. */
  readonly servers: string;
}

/** A running cluster. */
export interface Cluster extends ClusterAddress {
  /** The address of etcd: it also knows what happens while the API server is away. */
  readonly etcd: string;
  /** A client of the administrator. */
  readonly admin: ApiClient;
  /** Stops the API server and starts it again: same address, same data. */
  restartApiServer(pauseMs?: number): Promise<void>;
  /** Ends the API server at once, as a crash does; it stays away until `startApiServer`. */
  killApiServer(): Promise<void>;
  startApiServer(): Promise<void>;
  /** Starts the controllers again; the garbage collector then knows all kinds, otherwise it looks for new ones every 30 s. */
  restartControllers(): Promise<void>;
  /** Lets etcd forget all revisions but the last; the API server keeps what is in its cache. */
  compact(): Promise<void>;
  /** Lets all resourceVersions and continue tokens expire that were given out before. */
  forgetHistory(): Promise<void>;
  /** Makes room in an etcd that refuses writes because its quota was exceeded. */
  makeRoom(): Promise<void>;
  /** Ends the processes and removes the folder. */
  stop(): Promise<void>;
}

/** What a test wants of its cluster. */
export interface ClusterOptions {
  /** Users besides `admin`, each with its groups. They have no rights until a role is bound to them. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** Further flags of kube-apiserver. */
  readonly apiServerFlags?: readonly string[];
  /** Further flags of etcd. */
  readonly etcdFlags?: readonly string[];
  /** The controllers of Kubernetes that run, exactly these: `garbage-collector-controller`, for example. None if it is not given. */
  readonly controllers?: readonly string[];
}

const CONTROLLER_MANAGER = "kube-controller-manager";

/** Whether controllers of Kubernetes can run here: KUBEBUILDER_ASSETS may be without them. A test that needs them is skipped then. */
export function canRunControllers(): boolean {
  try {
    accessSync(join(serversFolder(), CONTROLLER_MANAGER), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a cluster without any objects. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return withFreePorts(() => startOnce(serversFolder(), options));
}

function serversFolder(): string {
  const servers = process.env.KUBEBUILDER_ASSETS;
  if (!servers) throw new Error("KUBEBUILDER_ASSETS is not set; npm run test:e2e sets it");
  return resolve(servers);
}

async function startOnce(servers: string, options: ClusterOptions): Promise<Cluster> {
  const { users = {}, apiServerFlags = [], controllers = [] } = options;
  if (controllers.length > 0 && !canRunControllers())
    throw new Error(
      `${servers} has no ${CONTROLLER_MANAGER}; a test with controllers is skipped unless canRunControllers()`,
    );
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-e2e-"));
  const processes = new Processes(folder);
  const start = (name: string, flags: readonly string[]): void =>
    processes.start({ name, path: join(servers, name), flags });
  const stop = async (): Promise<void> => {
    admin.close();
    await processes.endAll();
  };
  const [clientPort, peerPort, port] = (await freePorts(3)) as [number, number, number];
  const server = `https://127.0.0.1:${port}`;
  const groups: Readonly<Record<string, readonly string[]>> = { admin: ["system:masters"], ...users };
  const tokens = Object.fromEntries(Object.keys(groups).map((name) => [name, randomBytes(24).toString("hex")]));
  const admin = openClient({ server, token: tokens.admin as string });
  try {
    const etcd = `http://127.0.0.1:${clientPort}`;
    const flags = [
      `--etcd-servers=${etcd}`,
      `--secure-port=${port}`,
      ...credentialFlags(folder, server, tokenTable(groups, tokens)),
      ...FIXED_FLAGS,
      ...apiServerFlags,
    ];
    const startApiServer = async (): Promise<void> => {
      start("kube-apiserver", flags);
      await processes.until("kube-apiserver is ready", async () => (await admin.status("/readyz")) === 200);
    };
    const restartApiServer = async (pauseMs = 0): Promise<void> => {
      await processes.end("kube-apiserver");
      await sleep(pauseMs);
      await startApiServer();
    };
    const managerFlags = controllerFlags(folder, { server, token: tokens.admin as string, controllers });
    const restartControllers = async (): Promise<void> => {
      await processes.end(CONTROLLER_MANAGER);
      if (controllers.length > 0) start(CONTROLLER_MANAGER, managerFlags);
    };
    start("etcd", [...etcdFlags(folder, etcd, `http://127.0.0.1:${peerPort}`), ...(options.etcdFlags ?? [])]);
    await startApiServer();
    await restartControllers();
    return {
      ...{ server, etcd, tokens, servers, admin, startApiServer, restartApiServer, restartControllers, stop },
      killApiServer: () => processes.end("kube-apiserver", "SIGKILL"),
      compact: () => compact(etcd),
      makeRoom: () => makeRoom(etcd),
      forgetHistory: async () => {
        await compact(etcd);
        await restartApiServer(); // the API server has a cache of its own
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function etcdFlags(folder: string, client: string, peer: string): readonly string[] {
  return [
    `--data-dir=${join(folder, "etcd")}`,
    "--unsafe-no-fsync=true",
    "--log-level=warn",
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

/** Flags of kube-apiserver that are the same in every cluster. */
const FIXED_FLAGS: readonly string[] = [
  "--bind-address=127.0.0.1",
  "--advertise-address=127.0.0.1",
  "--authorization-mode=RBAC",
  "--service-cluster-ip-range=10.0.0.0/24",
  "--endpoint-reconciler-type=none",
  "--disable-admission-plugins=ServiceAccount", // there is no controller that makes service accounts
  "--profiling=false",
];

/** Writes the credentials that kube-apiserver reads; its flags for them. */
function credentialFlags(folder: string, server: string, users: string): readonly string[] {
  const directory = join(folder, "credentials");
  mkdirSync(directory, { mode: 0o700 });
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  return [
    `--cert-dir=${directory}`,
    `--tls-cert-file=${join(CERTIFICATES, "server.crt")}`,
    `--tls-private-key-file=${join(CERTIFICATES, "server.key")}`,
    `--client-ca-file=${join(CERTIFICATES, "authority.crt")}`,
    `--token-auth-file=${file("users.csv", users)}`,
    `--service-account-issuer=${server}`,
    `--service-account-signing-key-file=${file("service-accounts.key", privateKey)}`,
    `--service-account-key-file=${file("service-accounts.pub", publicKey)}`,
  ];
}

/** The users as kube-apiserver reads them: token, name, id and groups. */
function tokenTable(
  groups: Readonly<Record<string, readonly string[]>>,
  tokens: Readonly<Record<string, string>>,
): string {
  return Object.entries(groups)
    .map(([name, of]) => `${tokens[name]},${name},${name},"${of.join(",")}"\n`)
    .join("");
}

/** What kube-controller-manager runs, and as whom. */
interface Controllers {
  readonly server: string;
  readonly token: string;
  readonly controllers: readonly string[];
}

/** Flags of kube-controller-manager: as the administrator, without a server and without a lease. */
function controllerFlags(folder: string, { server, token, controllers }: Controllers): readonly string[] {
  return [
    `--kubeconfig=${writeKubeconfig(folder, { server, name: "controllers", user: { token } })}`,
    `--controllers=${controllers.join(",")}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--profiling=false",
  ];
}
