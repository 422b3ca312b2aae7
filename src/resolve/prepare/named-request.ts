// What does a package named on the command line request? `[CATALOG/]PACKAGE[@RANGE][:CHANNEL]`, where CATALOG is a
// name or `NAMESPACE/NAME`.

import { given } from "../../model/json.ts";
import type { CatalogName } from "../../model/problem.ts";
import { parseRange, type RangeOutline, rangeOutline } from "../../semver/blang-range.ts";
import { quoted } from "../../text/words.ts";
import type { NamedRequest } from "./problem-inputs.ts";

const MAX_NAME = 253;
const FORM = "[CATALOG/]PACKAGE[@RANGE][:CHANNEL]";

/** Parses a request; a string is an error message. */
export function parseNamedRequest(text: string): NamedRequest | string {
  const colon = text.indexOf(":");
  const beforeChannel = colon < 0 ? text : text.slice(0, colon);
  const channel = colon < 0 ? undefined : text.slice(colon + 1);
  const at = beforeChannel.indexOf("@");
  const name = at < 0 ? beforeChannel : beforeChannel.slice(0, at);
  const wanted = at < 0 ? undefined : beforeChannel.slice(at + 1);
  const steps = name.split("/");
  const owner = steps.pop() as string;
  const fault = packageFault(owner, text) ?? catalogFault(steps, text) ?? channelFault(channel, owner, text);
  if (fault !== undefined) return fault;
  const range = wanted === undefined ? undefined : parseRange(wanted);
  if (typeof range === "string") return `the range of ${quoted(text)} cannot be read: ${range}`;
  const catalog = catalogOf(steps);
  return given({ package: owner, catalog, ...(range !== undefined && { range: rangeOutline(range) }), channel });
}

/** The command-line form of a request: the inverse of {@link parseNamedRequest}. */
export function printNamedRequest({ package: owner, catalog, range, channel }: Written): string {
  const steps = [catalog?.namespace, catalog?.name, owner].filter((step) => step !== undefined);
  return `${steps.join("/")}${range === undefined ? "" : `@${range.text}`}${channel === undefined ? "" : `:${channel}`}`;
}

/** The fields of a request that have a command-line form. */
type Written = Omit<NamedRequest, "range"> & { readonly range?: Pick<RangeOutline, "text"> | undefined };

function catalogOf(steps: readonly string[]): CatalogName | undefined {
  const name = steps.at(-1);
  if (name === undefined) return undefined;
  return steps.length === 1 ? { name } : { namespace: steps[0] as string, name };
}

function packageFault(owner: string, text: string): string | undefined {
  if (owner === "") return `${quoted(text)} names no package: write ${FORM}`;
  if (owner.length > 63) return `the package name of ${quoted(text)} is longer than 63 characters`;
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(owner)) return undefined;
  const where = owner === text ? "" : ` (in ${quoted(text)})`;
  // As other tools write a version, or the name of a bundle.
  const [, name, version = ""] = /^([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)(?:==?|\.v?)(\d.*)$/.exec(owner) ?? [];
  if (name !== undefined && typeof parseRange(version) !== "string")
    return `${quoted(owner)}${where} is not the name of a package; did you mean ${name}@${version}?`;
  return `${quoted(owner)}${where} is not the name of a package, which has lower-case letters, digits and inner hyphens: write ${FORM}`;
}

function catalogFault(steps: readonly string[], text: string): string | undefined {
  if (steps.length > 2)
    return `${quoted(text)} has too many slashes: write PACKAGE, CATALOG/PACKAGE or NAMESPACE/CATALOG/PACKAGE`;
  return steps.some((step) => step === "" || step.length > MAX_NAME)
    ? `the catalog of ${quoted(text)} has no usable name: write ${FORM}`
    : undefined;
}

function channelFault(channel: string | undefined, owner: string, text: string): string | undefined {
  if (channel === undefined) return undefined;
  if (channel === "") return `${quoted(text)} names no channel after the colon`;
  if (channel.length > MAX_NAME) return `the channel of ${quoted(text)} is longer than ${MAX_NAME} characters`;
  const at = channel.indexOf("@");
  if (at < 0) return undefined;
  const proper = `${owner}@${channel.slice(at + 1)}:${channel.slice(0, at)}`;
  return `in ${quoted(text)} the range comes after the channel: write ${quoted(proper)}`;
}
