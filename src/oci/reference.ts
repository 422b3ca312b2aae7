// Which image does a text name? `registry/repository:tag@digest`, where the registry must be written.

import { imageSecretFault, type ReferenceFault } from "../text/image-secrets.ts";
import { quoted } from "../text/words.ts";
import { isDigest } from "./digest.ts";

export interface ImageReference {
  /** `HOST` or `HOST:PORT`, as images are named: `docker.io`, although its API is on another host. */
  readonly registry: string;
  /** `namespace/name`, without the registry. */
  readonly repository: string;
  /** `latest` if neither a tag nor a digest is written. */
  readonly tag?: string;
  /** If there is one, it counts, and the tag is only a name. */
  readonly digest?: string;
}

const MAX_LENGTH = 255 + 1 + 128 + 1 + 135;
const MAX_NAME_LENGTH = 255;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** Names of Docker Hub. */
const DOCKER_HUB = new Set(["docker.io", "index.docker.io", "registry-1.docker.io"]);

/** Where the API of a registry is: `HOST[:PORT]`. */
export function apiHost(registry: string): string {
  return registry === "docker.io" ? "registry-1.docker.io" : registry;
}

/** The same image as text. */
export function referenceText({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/** The tag or digest by which a registry is asked. */
export function askedName({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? "latest";
}

export function readImageReference(text: string): ImageReference | ReferenceFault {
  if (text.length > MAX_LENGTH) return { fault: `the name of an image has at most ${MAX_LENGTH} characters` };
  const secret = imageSecretFault(text);
  if (secret !== undefined) return secret;
  if (/^https?:\/\//i.test(text))
    return {
      fault: "an image has no https:// before its name",
      hint: `write ${quoted(text.replace(/^.*?:\/\//, ""))}`,
    };
  const at = text.indexOf("@");
  const digest = at === -1 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !isDigest(digest))
    return { fault: `${quoted(digest, 140)} is not a digest`, hint: "write @sha256: and 64 hexadecimal digits" };
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(":");
  const hasTag = colon > named.lastIndexOf("/");
  const written = hasTag ? named.slice(colon + 1) : undefined;
  const name = hasTag ? named.slice(0, colon) : named;
  if (written !== undefined && !TAG.test(written)) return tagFault(written);
  const tag = written ?? (digest === undefined ? "latest" : undefined);
  const parts = nameParts(name);
  if ("fault" in parts) return parts;
  return { ...parts, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
}

function tagFault(tag: string): ReferenceFault {
  if (tag === "") return { fault: "the tag after the colon is missing", hint: "write a tag there, such as latest" };
  return { fault: `${quoted(tag)} is not a tag`, hint: "a tag has letters, digits, and . _ - between them" };
}

function nameParts(name: string): Pick<ImageReference, "registry" | "repository"> | ReferenceFault {
  if (name === "") return { fault: "the name of the image is missing", hint: "write REGISTRY/REPOSITORY:TAG" };
  if (name.length > MAX_NAME_LENGTH)
    return { fault: `the name of an image has at most ${MAX_NAME_LENGTH} characters before its tag` };
  const slash = name.indexOf("/");
  const first = slash === -1 ? "" : name.slice(0, slash);
  if (slash === -1 || !/[.:]|^localhost$/i.test(first)) return withoutRegistry(name, slash);
  const registry = readRegistry(first);
  if (registry === undefined) return { fault: `${quoted(first)} is not the host of a registry` };
  const repository = name.slice(slash + 1);
  if (repository === "") return onlyRegistry(first);
  const bad = repository.split("/").find((part) => !COMPONENT.test(part));
  if (bad !== undefined)
    return /[A-Z]/.test(bad)
      ? { fault: `${quoted(bad)} has capital letters`, hint: "names of repositories are lower-case" }
      : { fault: `${quoted(bad)} is not a part of the name of a repository` };
  if (!DOCKER_HUB.has(registry)) return { registry, repository };
  return { registry: "docker.io", repository: repository.includes("/") ? repository : `library/${repository}` };
}

/** Container engines would search several registries for it; here one text means one image. */
function withoutRegistry(name: string, slash: number): ReferenceFault {
  const looksLikeHost = slash === -1 && (/\./.test(name) || name === "localhost");
  if (looksLikeHost) return onlyRegistry(name);
  const isName = name.split("/").every((part) => COMPONENT.test(part));
  const example = isName ? `: quay.io/${name}, or docker.io/${name}` : ", such as quay.io";
  return { fault: `${quoted(name)} does not name a registry`, hint: `write the registry before the name${example}` };
}

function onlyRegistry(registry: string): ReferenceFault {
  return { fault: `${quoted(registry)} is a registry without a repository`, hint: "write REGISTRY/REPOSITORY:TAG" };
}

/** A host with or without a port in its one spelling; undefined if it is none. */
export function readRegistry(text: string): string | undefined {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::([0-9]{1,5}))?$/.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, host = "", port] = match;
  if (port !== undefined && (Number(port) > 65535 || Number(port) === 0)) return undefined;
  if (!host.startsWith("[") && !host.split(".").every((label) => LABEL.test(label))) return undefined;
  // An address such as 127.1 or 0x7f.0.0.1 has another canonical spelling: what is shown must be what is asked.
  const address = `https://${host}`;
  if (!URL.canParse(address)) return undefined;
  return `${new URL(address).hostname}${port === undefined ? "" : `:${Number(port)}`}`;
}
