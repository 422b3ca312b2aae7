// Which package, or which version of it, is to be explained? And if there is none such: what was probably meant?

import { find } from "../../catalog/find.ts";
import type { Bundle } from "../../model/catalog.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { missingText } from "../../render/sentence/missing.ts";
import type { Topic } from "../../resolve/explain/found.ts";
import { parseTolerant } from "../../semver/tolerant.ts";
import { compareVersions, compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

const MAX_LISTED = 8;

/** What `PACKAGE`, `PACKAGE@VERSION` or the name of a bundle means; or why it means nothing. */
export function readSubject(text: string, problem: Problem): Topic | string {
  const at = text.indexOf("@");
  const owner = at < 0 ? text : text.slice(0, at);
  const wanted = at < 0 ? undefined : text.slice(at + 1);
  if (owner === "") return `${quote(text)} names no package: write PACKAGE or PACKAGE@VERSION`;
  const things = thingsOf(owner, problem);
  const isAsked = problem.requests.some((request) => request.package === owner);
  if (things.length === 0 && !(isAsked && wanted === undefined))
    return (wanted === undefined ? bundleCalled(text, problem) : undefined) ?? unknownPackage(owner, problem);
  return wanted === undefined ? { package: owner } : versionOf(owner, wanted, things);
}

/** Everything of a package that has a version: bundles, and operators that run anywhere. */
function thingsOf(owner: string, { catalogs, installed, elsewhere, gone }: Problem): readonly (Bundle | Installed)[] {
  return [
    ...catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.bundles.values() ?? [])]),
    ...[...installed, ...elsewhere, ...gone].filter((one) => one.package === owner),
  ];
}

function versionOf(owner: string, wanted: string, things: readonly (Bundle | Installed)[]): Topic | string {
  const known = new Map<string, Version>();
  for (const { version } of things) if (version !== undefined) known.set(printVersion(version), version);
  const parsed = parseTolerant(wanted);
  const exact = known.get(wanted);
  const found =
    exact ??
    (typeof parsed === "string"
      ? undefined
      : [...known.values()].find((version) => compareVersions(version, parsed) === 0));
  if (found !== undefined) return { package: owner, version: found };
  const versions = [...known].sort(([, a], [, b]) => compareWithBuild(b, a)).map(([text]) => text);
  const meant = didYouMean(wanted, versions);
  return [
    `package ${owner} has no version ${quote(wanted)}`,
    ...(versions.length === 0 ? [] : [`it has ${listed(around(versions, parsed, known))}`]),
    ...(meant === undefined ? [] : [`did you mean ${owner}@${meant}?`]),
  ].join("; ");
}

/** The versions next to the one that is missing; the newest where that says nothing. */
function around(
  versions: readonly string[],
  wanted: Version | string,
  known: ReadonlyMap<string, Version>,
): readonly string[] {
  if (typeof wanted === "string" || versions.length <= MAX_LISTED) return versions;
  const older = versions.findIndex((text) => compareVersions(known.get(text) as Version, wanted) < 0);
  const place = older === -1 ? versions.length : older;
  const start = Math.min(Math.max(0, place - MAX_LISTED / 2), versions.length - MAX_LISTED);
  return [
    ...versions.slice(start, start + MAX_LISTED),
    ...versions.slice(0, start),
    ...versions.slice(start + MAX_LISTED),
  ];
}

/** A bundle, or an operator that runs, by its own name. */
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

function unknownPackage(owner: string, problem: Problem): string {
  const away = problem.unavailable.map(({ name }) => name);
  const more = away.length === 0 ? "" : `; what catalog ${listed(away)} has is not known`;
  const found = find(problem.catalogs, owner);
  if (found.kind === "missing") return `${missingText(found)}${more}`;
  return `${quote(owner)} is no package: write PACKAGE or PACKAGE@VERSION`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return names.length <= MAX_LISTED ? shown : `${shown} and ${names.length - MAX_LISTED} more`;
}

function quote(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`);
}
