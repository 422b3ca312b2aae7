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

/** Starts `opm serve` for a directory with a file-based catalog. Throws with its log if it refuses the catalog. */
export function startOpm(directory: string): Promise<GrpcRegistry> {
  return withFreePorts(() => startOnce(directory));
}

async function startOnce(directory: string): Promise<GrpcRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-opm-"));
  const processes = new Processes(folder);
  try {
    const [port] = (await freePorts(1)) as [number];
    processes.start({
      name: "opm",
      path: join(catalogServers(), "opm"),
      flags: [
        "serve",
        resolve(directory),
        `--port=${port}`,
        "--pprof-addr=",
        `--cache-dir=${join(folder, "cache")}`,
        "--cache-enforce-integrity=false", // the cache is new
        `--termination-log=${join(folder, "termination.log")}`, // otherwise in /dev
      ],
      environment: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder },
    });
    // It listens as soon as it has read the catalog.
    await processes.until("opm listens", () => isListening(port));
    return { address: `127.0.0.1:${port}`, stop: () => processes.endAll() };
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
