// How is a registry of the tests read, and what does it serve if a test does not care?

import type { AddressInfo, Server } from "node:net";
import { type ReadRegistryOptions, type RegistryRead, readRegistry } from "../../src/grpc/read-registry.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { atEnd } from "../at-end.ts";
import type { TestBundle } from "./registry-messages.ts";
import { type Content, type Script, type ScriptedRegistry, scriptedRegistry } from "./scripted-registry.ts";

export const property = (type: string, value: unknown): { type: string; value: string } => ({
  type,
  value: JSON.stringify(value),
});

export const WINCH: TestBundle = {
  name: "winch.v1.0.0",
  package: "winch",
  channel: "stable",
  image: "registry.example/winch:1.0.0",
  version: "1.0.0",
  properties: [property("olm.package", { packageName: "winch", version: "1.0.0" })],
};

export const CONTENT: Content = {
  packages: [
    {
      name: "winch",
      defaultChannel: "stable",
      channels: [
        { name: "stable", head: "winch.v1.1.0" },
        { name: "beta", deprecation: "use stable" },
      ],
      deprecation: "use crane",
    },
    { name: "anchor", defaultChannel: "c", channels: [{ name: "c" }] },
  ],
  bundles: [
    { ...WINCH, channel: "beta" },
    WINCH,
    {
      ...WINCH,
      name: "winch.v1.1.0",
      replaces: "winch.v1.0.0",
      skips: ["winch.v1.0.1", "winch.v1.0.2"],
      skipRange: "<1.1.0",
      image: "",
      csv: '{"kind":"ClusterServiceVersion"}',
      objects: ['{"kind":"ConfigMap"}', '{"kind":"ClusterServiceVersion"}'],
      version: "1.1.0",
      properties: [
        property("olm.package", { packageName: "winch", version: "1.1.0" }),
        property("olm.gvk.required", { group: "g", version: "v1", kind: "K" }),
      ],
      dependencies: [property("olm.gvk", { group: "g", version: "v1", kind: "K" })],
      requiredApis: [{ group: "g", version: "v1", kind: "K", plural: "ks" }],
      deprecation: "too new",
    },
    {
      ...WINCH,
      name: "anchor.v1.0.0",
      package: "anchor",
      channel: "c",
      properties: [],
      providedApis: [{ group: "g", version: "v1", kind: "K" }],
    },
  ],
};

export type Options = Partial<ReadRegistryOptions>;

export function readAt(port: number, options: Options = {}, tls = false, host = "127.0.0.1"): Promise<RegistryRead> {
  const signal = new AbortController().signal;
  return readRegistry({ host, port, tls }, { signal, environment: {}, idleLimit: 20_000, ...options });
}

export async function serving(content: Content, script: Script = {}): Promise<ScriptedRegistry> {
  const registry = await scriptedRegistry(content, script);
  atEnd(registry.close);
  return registry;
}

export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

export async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly kind: string; readonly message: string; readonly help: string | undefined }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NetFailure)) throw new Error(`no NetFailure, but ${String(error)}`);
  return { kind: error.kind, message: error.message.replace(/127\.0\.0\.1:\d+/, "HOST:PORT"), help: error.help };
}

/** The failure if one method is answered in another way. */
export async function failureWith(
  answers: Script["answers"],
  options: Options = {},
): Promise<Awaited<ReturnType<typeof failureOf>>> {
  const { port } = await serving(CONTENT, { ...(answers && { answers }) });
  return failureOf(readAt(port, options));
}
