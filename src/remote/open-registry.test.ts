// Is a gRPC registry asked without TLS only where that is allowed, and is it said what it leaves out?

import { expect, test } from "vitest";
import { CONTENT, serving, WINCH } from "../../test/grpc/registry-reading.ts";
import { NEVER, testOptions } from "../../test/oci/scripted-registry.ts";
import { openRegistry } from "./open-registry.ts";
import type { RemoteSetting } from "./setting.ts";

function setting(insecure: readonly string[] = []): RemoteSetting {
  return {
    ...{ environment: {}, insecure, mirrors: [], assembledBy: "test", onProgress: () => {} },
    ...{ signal: NEVER, cache: undefined as never, registry: testOptions() },
  };
}

test("without TLS on this machine, in the network of the cluster, and where the user allows it", async () => {
  const { port } = await serving(CONTENT);
  // Another name of this machine, which is not known as such.
  const address = `0.0.0.0:${port}`;
  const digestOf = async (...args: Parameters<typeof openRegistry>): Promise<string> =>
    (await openRegistry(...args)).digest;
  await expect(openRegistry({ kind: "grpc", address }, setting())).rejects.toMatchObject({
    name: "NetFailure",
    message: `the gRPC registry ${address} does not speak TLS`,
  });
  const digest = await digestOf({ kind: "grpc", address: `127.0.0.1:${port}` }, setting());
  expect(await digestOf({ kind: "grpc", address, isTrusted: true }, setting())).toBe(digest);
  expect(await digestOf({ kind: "grpc", address }, setting(["0.0.0.0"]))).toBe(digest);
  expect(await digestOf({ kind: "grpc", address }, setting([address]))).toBe(digest);
});

test("bundles with an image come without manifests, which is said; others do not", async () => {
  const findingsOf = async (content: typeof CONTENT): Promise<readonly unknown[]> => {
    const { port } = await serving(content);
    const { parts } = await openRegistry({ kind: "grpc", address: `127.0.0.1:${port}` }, setting());
    return (await parts()).findings.map(({ code, message }) => [code, /: (\d+ bundles?) of it/.exec(message)?.[1]]);
  };
  expect(await findingsOf(CONTENT)).toEqual([["PL017", "2 bundles"]]);
  expect(await findingsOf({ ...CONTENT, bundles: [{ ...WINCH, image: "" }] })).toEqual([]);
});

test.each(["", "host", "host:", ":50051", "host:70000"])("%j is no address", async (address) => {
  await expect(openRegistry({ kind: "grpc", address }, setting())).rejects.toThrow("is not the address");
});
