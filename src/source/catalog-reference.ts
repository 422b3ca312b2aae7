// Which catalog does `[[NAMESPACE/]NAME=]REF[,priority=N]` name, and what kind of source is it in? The text alone decides; a
// path never leads to a network.

import { basename, sep } from "node:path";
import type { CatalogIdentity } from "../input/catalog/catalog-builder.ts";
import { faultText, imageSecretFault } from "../text/image-secrets.ts";
import { HIDDEN, withoutUrlSecrets } from "../text/url-secrets.ts";
import { quoted } from "../text/words.ts";
import { type ImagePage, imagePage } from "./image-page.ts";

/** A catalog as named by the user. */
export interface CatalogReference extends CatalogIdentity {
  /** A path, `-` for standard input, or a reference with a scheme. */
  readonly path: string;
}

/** A source that is not a path, and what it is called there. */
export interface CatalogLocation {
  readonly scheme: "image" | "layout" | "archive" | "catalogd" | "grpc";
  /** Without the scheme, but for the URL of a catalogd. */
  readonly address: string;
}

/** How the reference of an image begins. */
const IMAGE_SCHEME = "oci://";

/** How references begin, also those of other tools. */
const SCHEMES: readonly (readonly [string, CatalogLocation["scheme"]])[] = [
  [IMAGE_SCHEME, "image"],
  ["docker://", "image"],
  ["oci-layout:", "layout"],
  ["oci-archive:", "archive"],
  ["docker-archive:", "archive"],
  ["oci:", "layout"],
  ["grpc://", "grpc"],
];
/** Behind the name of an archive may be the tag or digest of one of its images, which may be a whole reference. */
const ARCHIVE = /\.(?:tar|tgz|tar\.gz)(?::\w[\w.:/@-]*|@sha(?:256|512):[0-9a-f]+)?$/i;
const KNOWN = "oci://, oci-layout:, oci-archive:, docker-archive:, http://, https:// and grpc://";

/** Where a reference leads if it is not a path; undefined for a path. */
export function locationOf(path: string): CatalogLocation | undefined {
  for (const [prefix, scheme] of SCHEMES)
    if (path.toLowerCase().startsWith(prefix)) return { scheme, address: path.slice(prefix.length) };
  if (/^https?:\/\//i.test(path)) return { scheme: "catalogd", address: path };
  return ARCHIVE.test(path) ? { scheme: "archive", address: path } : undefined;
}

/** The reference of the image that a text which is not a path probably means; undefined if it means none. */
export function meantReference(text: string): string | undefined {
  const page = imagePage(text);
  const image = page === undefined && looksLikeImage(text) ? text : page?.image;
  return image === undefined ? undefined : `${IMAGE_SCHEME}${image}`;
}

/** A registry's host, a repository, perhaps a tag. */
function looksLikeImage(text: string): boolean {
  return /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::[0-9]{1,5})?(?:\/[a-z0-9._-]+)+(?::[\w.-]+)?(?:@sha(?:256|512):[0-9a-f]+)?$/i.test(
    text,
  );
}

/** Parses `[[NAMESPACE/]NAME=]REF[,priority=N]`; a string is an error message. */
export function readCatalogReference(text: string): CatalogReference | string {
  let rest = text;
  let priority = 0;
  const option = /,priority=([^,]*)$/.exec(rest);
  if (option !== null) {
    if (!/^-?[0-9]{1,9}$/.test(option[1] as string)) return "the priority must be a whole number";
    priority = Number(option[1]);
    rest = rest.slice(0, option.index);
  }
  const other = /,([A-Za-z][A-Za-z0-9_-]*)=[^,/\\]*$/.exec(rest)?.[1];
  if (other !== undefined) return `only ,priority=N can follow the path, once${otherOption(other, rest)}`;
  const equals = /^(?:([a-z0-9][a-z0-9-]*)\/)?([A-Za-z0-9][A-Za-z0-9._-]*)=/.exec(rest);
  const path = equals === null ? rest : rest.slice(equals[0].length);
  if (path === "") return "the path is empty";
  const location = locationOf(path);
  const fault = location === undefined ? schemeFault(path) : locationFault(location, path);
  if (fault !== undefined) return fault;
  const [, namespace, name] = equals ?? [];
  return { name: name ?? catalogName(path, location), ...(namespace !== undefined && { namespace }), priority, path };
}

/** What is said about another option than the priority; nothing if it may be a part of a secret. */
function otherOption(name: string, text: string): string {
  if (withoutUrlSecrets(text) !== text) return "";
  return `; ${JSON.stringify(name)} ${name === "priority" ? "is given twice" : "is not known"}`;
}

/** The sentence about a reference that is refused, without the secrets in it. */
export function notCatalogText(text: string, fault: string): string {
  return `${JSON.stringify(withoutUrlSecrets(text))} is not a catalog: ${fault}`;
}

/** Why a text with an unknown scheme is not a path. */
function schemeFault(path: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(path)?.[1];
  if (scheme === undefined) return undefined;
  const meant = scheme === "file" ? "; write the path without file://" : "";
  return `the scheme ${quoted(`${scheme}://`)} is not one of ${KNOWN}${meant}`;
}

/** What is wrong with the @ of a catalogd's URL. A password may contain every character: with an @, no part of the URL is safe. */
function atFault(url: string): string | undefined {
  if (!url.includes("@")) return undefined;
  if (URL.canParse(url) && !hasUserinfo(new URL(url))) return "it has an @ behind the host; write %40 for it";
  return "it has a user name before the host; credentials are not part of a reference, and a catalogd takes none: remove what is before the @";
}

function hasUserinfo({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

function locationFault({ scheme, address }: CatalogLocation, path: string): string | undefined {
  const at = scheme === "catalogd" ? atFault(address) : undefined;
  if (at !== undefined) return at;
  const page = scheme === "image" || scheme === "catalogd" ? imagePage(address) : undefined;
  // Behind oci:// it may be an image after all, unless the page is known to be about another one.
  if (page !== undefined && (scheme === "catalogd" || page.image !== undefined))
    return `this is the address of a web page${meantImage(page)}`;
  const secret = scheme === "image" ? imageSecretFault(address) : undefined;
  if (secret !== undefined) return faultText(secret);
  if (scheme === "image" && /^https?:\/\//i.test(address))
    return `an image has no https:// before its name; write ${IMAGE_SCHEME}${address.replace(/^.*?:\/\//, "")}`;
  if (scheme === "catalogd" && !URL.canParse(address)) return "it is not a URL";
  if ((scheme === "layout" || scheme === "archive") && address.includes("://"))
    return `${scheme === "layout" ? "a layout is a directory" : "an archive is a file"}, and not a URL; an image of a registry is ${IMAGE_SCHEME}REGISTRY/REPOSITORY:TAG`;
  if (address === "") return `nothing follows ${path}`;
  if (scheme === "grpc" && !/^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+):[0-9]{1,5}\/?$/i.test(address))
    return "write grpc://HOST:PORT; the port of a catalog is usually 50051";
  return undefined;
}

function meantImage({ image }: ImagePage): string {
  return image === undefined
    ? `; write ${IMAGE_SCHEME}REGISTRY/REPOSITORY:TAG`
    : `; the image is ${IMAGE_SCHEME}${image}`;
}

/** The default name of a catalog: the last part of its path, without extensions and without what may be a secret. */
function catalogName(path: string, location: CatalogLocation | undefined): string {
  if (path === "-") return "stdin";
  const base = location === undefined ? baseName(publicPart(path)) : locationName(location);
  return base === "" || base === "." || base === ".." ? "catalog" : base;
}

/** A path, as far as it may be shown. */
function publicPart(path: string): string {
  const shown = withoutUrlSecrets(path);
  return shown === path ? path : shown.replace(`${HIDDEN}@`, "").replace(HIDDEN, "").replace(/[?#]$/, "");
}

function baseName(path: string): string {
  const trimmed = path.endsWith(sep) ? path.slice(0, -1) : path;
  return basename(trimmed).replace(/(\.(ya?ml|jsonl?|ndjson))?(\.gz)?$/, "");
}

function locationName({ scheme, address }: CatalogLocation): string {
  switch (scheme) {
    case "grpc":
      return address.replace(/:[0-9]+\/?$/, "").replace(/[^A-Za-z0-9._-]/g, "");
    case "catalogd":
      return basename(new URL(address).pathname.replace(/\/api\/v1\/all\/?$/, "")).replace(/[^A-Za-z0-9._-]/g, "");
    default:
      return basename(publicPart(address).replace(ARCHIVE, "").replace(/@.*$/s, "")).replace(/:.*$/s, "");
  }
}
