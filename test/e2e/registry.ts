// How does a test get an OCI registry? crane's, on loopback, in plain HTTP and without users; its blobs are in a temporary folder,
// its manifests in memory. secure-registry.ts is one with TLS and a user.

import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crane } from "./crane.ts";
import { freePorts, Processes, withFreePorts } from "./processes.ts";

/** A running registry. */
export interface Registry {
  /** HOST:PORT, the first part of a reference to an image. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a registry without images. */
export function startRegistry(): Promise<Registry> {
  return withFreePorts(startOnce);
}

async function startOnce(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-registry-"));
  const processes = new Processes(folder);
  try {
    const blobs = join(folder, "blobs");
    mkdirSync(blobs); // otherwise crane refuses every blob
    const [port] = await freePorts(1);
    const address = `127.0.0.1:${port}`;
    processes.start({
      name: "crane",
      path: crane(),
      flags: ["registry", "serve", `--address=${address}`, `--disk=${blobs}`],
    });
    const answers = (): Promise<boolean> =>
      fetch(`http://${address}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      );
    await processes.until("the registry answers", answers);
    return { address, stop: () => processes.endAll() };
  } catch (error) {
    await processes.endAll();
    throw error;
  }
}
