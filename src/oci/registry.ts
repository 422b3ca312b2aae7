// What is an image in a registry? Its manifest and its blobs by the distribution protocol, verified by their digests.

import { NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { Passing, withRetries } from "../net/retry.ts";
import type { OpenResponse } from "../net/transport.ts";
import { counted, quoted } from "../text/words.ts";
import { notRegistry } from "./answer-failure.ts";
import { digestOf, isDigest } from "./digest.ts";
import type { Descriptor, ImageSource, Manifest } from "./image-source.ts";
import { jsonObject, MAX_MANIFEST } from "./manifest.ts";
import { MANIFEST_TYPES, manifestKind, typeInResponse } from "./manifest-type.ts";
import { askedName, type ImageReference, referenceText } from "./reference.ts";
import { type Ask, RegistryClient, type RegistryOptions } from "./registry-client.ts";
import { collected, requireDigest, verified } from "./verified.ts";

/** An image in a registry. */
export interface RegistryImage extends ImageSource {
  /** Closes the connections. */
  close(): void;
}

const BLOB_ATTEMPTS = 3;
const CHECK_REGISTRY = "check that the host is a registry; a proxy may want a login";

export function registryImage(reference: ImageReference, options: RegistryOptions): RegistryImage {
  const { registry, repository, digest } = reference;
  const client = new RegistryClient(registry, repository, options);
  const shown = `image ${referenceText(reference)}`;
  const asked: Ask = {
    path: `/v2/${repository}/manifests/${askedName(reference)}`,
    accept: MANIFEST_TYPES.join(", "),
    what: shown,
    missing:
      digest === undefined
        ? "check the repository and the tag; a tag may have been removed"
        : "check the repository and the digest; images without a tag are removed after some time",
  };
  return {
    name: client.name,
    manifest: (signal) => get(client, digest === undefined ? asked : { ...asked, digest }, signal),
    manifestOf: (descriptor, signal) => {
      requireDigest(descriptor.digest, client.name);
      const path = `/v2/${repository}/manifests/${descriptor.digest}`;
      const what = `manifest ${descriptor.digest} of the ${shown}`;
      return get(client, { ...asked, ...descriptor, path, what, missing: INCOMPLETE }, signal);
    },
    blob: (descriptor, signal) => {
      requireDigest(descriptor.digest, client.name);
      const ask: Ask = {
        path: `/v2/${repository}/blobs/${descriptor.digest}`,
        accept: "*/*",
        isLarge: true,
        what: `blob ${descriptor.digest} of the ${shown}`,
        missing: INCOMPLETE,
      };
      return verified(blobBytes(client, ask, descriptor, signal), descriptor, client.name);
    },
    close: () => client.close(),
  };
}

const INCOMPLETE = "the image is incomplete in this registry: push it again, or use another mirror";

/** What a manifest must be; without a digest, what the registry says. */
type ManifestAsk = Ask & Partial<Descriptor>;

function get(client: RegistryClient, ask: ManifestAsk, signal: AbortSignal): Promise<Manifest> {
  return withRetries(async () => {
    const response = await client.openOnce(ask, signal);
    try {
      return await manifestIn(client, response, ask);
    } catch (error) {
      throw client.failureOf(error, signal);
    } finally {
      response.end();
    }
  }, client.retrying(signal));
}

async function manifestIn(client: RegistryClient, response: OpenResponse, ask: ManifestAsk): Promise<Manifest> {
  const { what, digest: wanted, size } = ask;
  const wrong = (reason: string, help: string = CHECK_REGISTRY): NetFailure =>
    new NetFailure("malformed", `${client.name} answers for the ${what} with ${reason}`, { help });
  const bytes = await collected(response.body, MAX_MANIFEST, () => wrong("more than 4 MiB"));
  const written = response.headers["content-type"] ?? "";
  const value = jsonObject(bytes);
  if (value === undefined && /\bhtml\b/i.test(written))
    throw notRegistry(client.registry, response.status, `it answers for the ${what} with a web page`);
  if (value === undefined) throw wrong(`${quoted(withoutSecrets(written), 80)}, which is not the manifest of an image`);
  const said = saidDigest(response);
  for (const expected of [wanted, said !== undefined && isDigest(said) ? said : undefined]) {
    if (expected === undefined) continue;
    const actual = digestOf(bytes, expected);
    if (actual !== expected)
      throw wrong(
        `other content: its digest is ${actual} instead of ${expected}`,
        "try again; if it happens again, the image is damaged where it is stored: push it again, or use another mirror",
      );
  }
  if (size !== undefined && bytes.length !== size)
    throw wrong(`${counted(bytes.length, "byte")} instead of ${size}`, "build and push the image again");
  const mediaType = ask.mediaType ?? typeInResponse(value, written);
  const digest = wanted ?? digestOf(bytes);
  // Refused here already, so that another mirror is asked.
  manifestKind(value, mediaType, `the manifest ${digest} of ${client.name}`);
  return { mediaType, digest, bytes };
}

function saidDigest({ headers }: Pick<OpenResponse, "headers">): string | undefined {
  const said = headers["docker-content-digest"];
  return typeof said === "string" ? said : undefined;
}

/**
 * The bytes of a blob. If they break off, the blob is requested again and what was passed on is skipped: the digest is of all
 * bytes that were passed on, so that another content in a later attempt is found.
 */
async function* blobBytes(
  client: RegistryClient,
  ask: Ask,
  { size }: Descriptor,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let passedOn = 0;
  for (let attempt = 1; ; attempt++) {
    const response = await client.open(ask, signal);
    try {
      const written = response.headers["content-length"];
      if (written !== undefined && Number(written) !== size) throw otherLength(client, ask, response, size);
      let skip = passedOn;
      for await (const piece of response.body) {
        const rest = piece.subarray(Math.min(skip, piece.length));
        skip -= piece.length - rest.length;
        if (rest.length === 0) continue;
        passedOn += rest.length;
        yield rest;
      }
      if (written !== undefined || passedOn >= size) return;
      const what = `${client.name} ends the ${ask.what} after ${passedOn} of ${counted(size, "byte")}`;
      throw new Passing(new NetFailure("malformed", what, { help: INCOMPLETE }));
    } catch (error) {
      const failure = client.failureOf(error, signal);
      if (!(failure instanceof Passing)) throw failure;
      if (attempt === BLOB_ATTEMPTS) throw failure.failure;
      client.retrying(signal).onRetry(`${failure.message}; the blob is requested again`);
    } finally {
      response.end();
    }
  }
}

function otherLength(client: RegistryClient, { what }: Ask, { headers }: OpenResponse, size: number): NetFailure {
  const type = withoutSecrets(headers["content-type"] ?? "unknown content");
  const length = withoutSecrets(headers["content-length"] ?? "");
  return new NetFailure(
    "malformed",
    `${client.name} answers for the ${what} with ${length} bytes of ${quoted(type, 60)} instead of ${size}`,
    { help: CHECK_REGISTRY },
  );
}
