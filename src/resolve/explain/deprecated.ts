// Is it deprecated? What catalogs state about a package, its channels and versions.

import { compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { compareWithBuild, printVersion } from "../../semver/version.ts";
import { isVersion, type Topic } from "./found.ts";

/** A deprecation in a catalog. */
export interface Deprecated {
  readonly package: string;
  /** The deprecated channel or bundle version; undefined for the whole package. */
  readonly channel?: string | undefined;
  readonly version?: string | undefined;
  /** The author's message. */
  readonly message: string;
}

/** Deprecations of a package, of the subject, and of some of its bundles by name; newest first. */
export function deprecationsOf(problem: Problem, topic: Topic, names: readonly string[]): readonly Deprecated[] {
  const { package: owner, version } = topic;
  const channels = new Set(problem.requests.flatMap((one) => (one.package === owner ? (one.channel ?? []) : [])));
  const found = new Map<string, Deprecated>();
  const add = (what: Pick<Deprecated, "channel" | "version">, message: string | undefined): void => {
    if (message === undefined) return;
    const deprecated = { package: owner, ...what, message: message.trim() };
    found.set(JSON.stringify(deprecated), deprecated);
  };
  for (const { packages } of problem.catalogs) {
    const known = packages.get(owner);
    if (known === undefined) continue;
    const deprecations = known.deprecations;
    add({}, deprecations.package);
    for (const channel of [...channels].sort(compareText)) add({ channel }, deprecations.channels.get(channel));
    const bundles = [...known.bundles.values()]
      .filter((one) => names.includes(one.name) || (version !== undefined && isVersion(one.version, version)))
      .sort((a, b) => compareWithBuild(b.version, a.version));
    for (const bundle of bundles) add({ version: printVersion(bundle.version) }, deprecations.bundles.get(bundle.name));
  }
  return [...found.values()];
}
