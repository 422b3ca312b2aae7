// What does a gRPC registry serve? Its rows as JSON lines, and a finding about what it leaves out.

import { readRegistry } from "../grpc/read-registry.ts";
import { type Finding, finding } from "../model/finding.ts";
import { canonicalText } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { NetFailure } from "../net/failure.ts";
import { isInsecure } from "../oci/trust.ts";
import { counted } from "../text/words.ts";
import type { RemoteContent } from "./content.ts";
import { type RemoteSetting, waitedFor } from "./setting.ts";
import type { Way } from "./way.ts";

/** Reads the registry: what it serves now is known only when all of it has arrived. */
export async function openRegistry(
  { address, isTrusted }: Extract<Way, { kind: "grpc" }>,
  setting: RemoteSetting,
): Promise<RemoteContent> {
  const { environment, signal, insecure, registry, onProgress } = setting;
  const { idleLimit, now } = registry;
  const [, host = "", port = ""] = /^\[?(.*?)\]?:([0-9]+)$/.exec(address) ?? [];
  if (host === "" || !URL.canParse(`http://${address}`))
    throw new NetFailure("config", `${address} is not the address of a gRPC registry`, { help: "write HOST:PORT" });
  const isPlain = isTrusted === true || isInsecure(new URL(`http://${address}`), insecure);
  const name = `grpc://${address}`;
  const reading = {
    ...{ signal, environment, onBundles: (bundles: number) => onProgress({ bundles }) },
    ...(idleLimit !== undefined && { idleLimit }),
    ...(now !== undefined && { now }),
  };
  const read = await waitedFor(`the gRPC registry ${address}`, setting, () =>
    readRegistry({ host, port: Number(port), tls: !isPlain }, reading),
  );
  const { documents } = read;
  const parts = {
    names: [name],
    documents,
    bytesOf: () => Buffer.from(documents.map((document) => `${canonicalText(document)}\n`).join("")),
    findings: missing(name, read.without),
  };
  return { prefix: name, digest: `rows ${read.digest}`, about: name, parts: async () => parts };
}

/** Nothing about bundles without an image: their manifests are served. */
function missing(
  name: string,
  { objects, metadata }: { readonly objects: number; readonly metadata: number },
): readonly Finding[] {
  const count = Math.max(objects, metadata);
  if (count === 0) return [];
  return [
    finding("PL017", wholeSource(name), {
      message: `a gRPC registry serves no descriptions of packages, and no manifests and olm.csv.metadata of bundles with an image: ${counted(count, "bundle")} of it. Their minKubeVersion, install modes and changes of CRDs are not known`,
      help: "read the image of the catalog instead; or, with resolve, explain and plan, add --fetch-bundles",
    }),
  ];
}
