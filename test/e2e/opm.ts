// How does a test get a gRPC registry? opm serves the catalog in a directory, as a pod of a CatalogSource does.

import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { catalogServers } from "./catalog-servers.ts";
import { freePorts, Processes, withFreePorts } from "./processes.ts";

/** A running gRPC registry. */
export interface GrpcRegistry {
  /** HOST:PORT, without TLS. opm itself listens on all interfaces: it has no flag for that. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Running gRPC registries. */
export interface GrpcRegistries {
  /** Where each of them is, in the order of the directories. */
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Starts `opm serve` for a directory with a file-based catalog. Throws with its log if it refuses the catalog. */
export async function startOpm(directory: string): Promise<GrpcRegistry> {
  const { addresses, stop } = await startOpms([directory]);
  return { address: addresses[0] as string, stop };
}

/** Starts `opm serve` for each of several directories. */
export function startOpms(directories: readonly string[]): Promise<GrpcRegistries> {
  return withFreePorts(() => startOnce(directories));
}

async function startOnce(directories: readonly string[]): Promise<GrpcRegistries> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-opm-"));
  const processes = new Processes(folder);
  try {
    const ports = await freePorts(directories.length);
    for (const [at, directory] of directories.entries())
      processes.start({
        name: at === 0 ? "opm" : `opm-${at}`,
        path: join(catalogServers(), "opm"),
        flags: [
          "serve",
          resolve(directory),
          `--port=${ports[at]}`,
          "--pprof-addr=",
          `--cache-dir=${join(folder, `cache-${at}`)}`,
          "--cache-enforce-integrity=false", // the cache is new
          `--termination-log=${join(folder, `termination-${at}.log`)}`, // otherwise in /dev
        ],
        environment: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder },
      });
    // It listens as soon as it has read the catalog.
    for (const port of ports) await processes.until("opm listens", () => isListening(port));
    return { addresses: ports.map((port) => `127.0.0.1:${port}`), stop: () => processes.endAll() };
  } catch (error) {
    await processes.endAll();
    throw error;
  }
}

/** Whether a port of 127.0.0.1 accepts connections. */
function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
