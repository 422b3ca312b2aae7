// What do all ways of reading a catalog need to know?

import type { Cache } from "../cache/cache.ts";
import type { MirrorRule } from "../oci/mirrors.ts";
import type { RegistryOptions } from "../oci/registry-client.ts";

export interface RemoteSetting {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly cache: Cache;
  /** Hosts, with the port as a reference has it, that may be reached without TLS that is verified. */
  readonly insecure: readonly string[];
  /** How registries are asked: credentials, retries. */
  readonly registry: RegistryOptions;
  /** Mirrors of registries, the first rule that fits counts. */
  readonly mirrors: readonly MirrorRule[];
  /** What an assembled catalog depends on besides its content: the version of Plimsoll and the limits of reading. */
  readonly assembledBy: string;
  readonly onProgress: (progress: RemoteProgress) => void;
}

/** How much of a catalog has arrived. */
export interface RemoteProgress {
  readonly bytes?: number;
  /** Bytes in all, if they are known. */
  readonly total?: number;
  readonly bundles?: number;
}

/** Does some work, during which `what` is waited for. */
export async function waitedFor<Result>(
  what: string,
  { registry: { onWait } }: Pick<RemoteSetting, "registry">,
  work: (endWait: () => void) => Promise<Result>,
): Promise<Result> {
  const endWait = onWait?.(what) ?? (() => {});
  try {
    return await work(endWait);
  } finally {
    endWait();
  }
}
