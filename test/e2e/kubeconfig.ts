// How is a kubeconfig for a test written? As JSON, which is YAML; one context, named after the user.

import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import { AUTHORITY, base64 } from "../certificates.ts";

/** What a test wants in a kubeconfig. */
export interface KubeconfigParts {
  readonly server: string;
  /** The name of the user and of the context. */
  readonly name: string;
  /** The credentials, as in `users[].user`. */
  readonly user: JsonObject;
  /** The namespace of the context. */
  readonly namespace?: string;
  /** Other fields of the cluster, in place of the authority: `insecure-skip-tls-verify`, for example. */
  readonly cluster?: JsonObject;
}

/** Writes a kubeconfig into a new folder below `folder`; returns its path. */
export function writeKubeconfig(folder: string, { server, name, user, namespace, cluster }: KubeconfigParts): string {
  const trust = cluster ?? { "certificate-authority-data": base64(AUTHORITY) };
  const path = join(mkdtempSync(join(folder, "kubeconfig-")), "config");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name: "test", cluster: { server, ...trust } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: "test", user: name, ...(namespace !== undefined && { namespace }) } }],
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}
