// Which package, or which version of it, does a text name? If there is none: what was probably meant?

import { find } from "../../catalog/find.ts";
import type { Missing } from "../../catalog/missing.ts";
import type { Bundle } from "../../model/catalog.ts";
import { given } from "../../model/json.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { parseTolerant } from "../../semver/tolerant.ts";
import { compareVersions, compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Topic } from "./found-answer.ts";

/** Why a text names nothing that can be explained. */
export type UnknownSubject =
  /** It has no package, or no version after the `@`, or names something else, such as a channel. */
  | { readonly kind: "no-package" | "no-version" | "not-a-package"; readonly text: string }
  /** No catalog has it; catalogs that could not be loaded, or were not given, might. */
  | { readonly kind: "missing"; readonly missing: Missing; readonly unavailable: readonly string[] }
  /** The package has other versions: the nearest first, if there are many. */
  | {
      readonly kind: "unknown-version";
      readonly package: string;
      readonly version: string;
      readonly known: readonly string[];
      readonly meant?: string;
    };

/** How many versions around a missing one come first. */
const NEAREST = 8;

/** The subject that `PACKAGE`, `PACKAGE@VERSION` or the name of a bundle means. */
export function readSubject(
  text: string,
  problem: Problem,
): { readonly kind: "topic"; readonly topic: Topic } | UnknownSubject {
  const at = text.indexOf("@");
  const owner = at < 0 ? text : text.slice(0, at);
  const wanted = at < 0 ? undefined : text.slice(at + 1);
  if (owner === "") return { kind: "no-package", text };
  if (wanted === "") return { kind: "no-version", text };
  const things = versioned(owner, problem);
  const isAsked = problem.requests.some((request) => request.package === owner);
  if (things.length > 0 || (isAsked && wanted === undefined))
    return wanted === undefined ? { kind: "topic", topic: { package: owner } } : versionOf(owner, wanted, things);
  const topic = wanted === undefined ? bundleCalled(text, problem) : undefined;
  return topic === undefined ? unknownPackage(owner, problem) : { kind: "topic", topic };
}

/** Everything of a package that has a version: bundles, and operators installed anywhere. */
function versioned(owner: string, { catalogs, installed, elsewhere, gone }: Problem): readonly (Bundle | Installed)[] {
  return [
    ...catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.bundles.values() ?? [])]),
    ...[...installed, ...elsewhere, ...gone].filter((one) => one.package === owner),
  ];
}

function versionOf(
  owner: string,
  wanted: string,
  things: readonly (Bundle | Installed)[],
): ReturnType<typeof readSubject> {
  const known = new Map<string, Version>();
  for (const { version } of things) if (version !== undefined) known.set(printVersion(version), version);
  const parsed = parseTolerant(wanted);
  const isWanted = (version: Version): boolean => typeof parsed !== "string" && compareVersions(version, parsed) === 0;
  const found = known.get(wanted) ?? [...known.values()].find(isWanted);
  if (found !== undefined) return { kind: "topic", topic: { package: owner, version: found } };
  const versions = [...known.values()].sort((a, b) => compareWithBuild(b, a));
  const texts = (typeof parsed === "string" ? versions : nearestFirst(versions, parsed)).map(printVersion);
  const meant = didYouMean(wanted, known.keys());
  return given({ kind: "unknown-version", package: owner, version: wanted, known: texts, meant });
}

/** Versions, newest first, with those around a missing one before all others. */
function nearestFirst(versions: readonly Version[], missing: Version): readonly Version[] {
  const older = versions.findIndex((version) => compareVersions(version, missing) < 0);
  const place = older === -1 ? versions.length : older;
  const start = Math.max(0, Math.min(place - NEAREST / 2, versions.length - NEAREST));
  const near = versions.slice(start, start + NEAREST);
  return [...near, ...versions.slice(0, start), ...versions.slice(start + NEAREST)];
}

/** A bundle, or an installed operator, by its own name. */
function bundleCalled(name: string, { catalogs, installed }: Problem): Topic | undefined {
  const running = installed.find((one) => one.name === name && one.package !== undefined);
  if (running?.package !== undefined) return { package: running.package, version: running.version };
  for (const { packages } of catalogs)
    for (const owner of packages.values()) {
      const bundle = owner.bundles.get(name);
      if (bundle !== undefined) return { package: owner.name, version: bundle.version };
    }
  return undefined;
}

function unknownPackage(owner: string, problem: Problem): UnknownSubject {
  const found = find(problem.catalogs, owner);
  if (found.kind !== "missing") return { kind: "not-a-package", text: owner };
  const away = [...problem.unavailable, ...(problem.notGiven ?? [])];
  return { kind: "missing", missing: found, unavailable: away.map(({ name }) => name) };
}
