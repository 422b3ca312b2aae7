// Which parts of a catalog were left out when it was read? What is missing because of that may exist.

import type { Constraint } from "../constraint/constraint.ts";
import { requiredVersion } from "../constraint/version-rule.ts";
import type { Catalog } from "../model/catalog.ts";
import type { Finding } from "../model/finding.ts";
import { getOrAdd } from "../model/grouped.ts";
import { plainPlace } from "../model/place.ts";

/** A part that was left out of a catalog, and what was wrong with it. */
export interface LostPart {
  readonly part: "package" | "channel" | "bundle" | "document";
  readonly catalog: string;
  readonly finding?: Finding | undefined;
}

/** The part without live objects, as an answer holds it. */
export function plainLost({ finding, ...lost }: LostPart): LostPart {
  return { ...lost, ...(finding && { finding: { ...finding, place: plainPlace(finding.place) } }) };
}

/** A package that was left out of a catalog. */
export function lostPackage({ name, packages, findings }: Catalog, owner: string): LostPart | undefined {
  if (packages.has(owner)) return undefined;
  const finding = findings.find((one) => one.dropped === "package" && one.package === owner);
  return finding && { part: "package", catalog: name, finding };
}

/** A channel of a package that was left out of a catalog: the named one, or any. */
export function lostChannel(
  { name, packages, findings }: Catalog,
  owner: string,
  channel: string | undefined,
): LostPart | undefined {
  const channels = packages.get(owner)?.channels;
  if (channels === undefined || (channel !== undefined && channels.has(channel))) return undefined;
  const finding = findings.find(
    (one) =>
      one.dropped === "channel" &&
      (one.package ?? owner) === owner &&
      (channel === undefined || (one.channel ?? channel) === channel),
  );
  return finding && { part: "channel", catalog: name, finding };
}

/** One of some bundles that channels of a package list but that are missing. */
export function lostBundle(
  { name, findings }: Catalog,
  owner: string,
  bundles: readonly string[],
): LostPart | undefined {
  if (bundles.length === 0) return undefined;
  const finding = findings.find(
    (one) => one.package === owner && one.bundle !== undefined && bundles.includes(one.bundle),
  );
  return { part: "bundle", catalog: name, finding };
}

/** An unreadable document of a catalog whose content is unknown. */
export function lostDocument({ name, findings }: Catalog): LostPart | undefined {
  const finding = findings.find(isNameless);
  return finding && { part: "document", catalog: name, finding };
}

/**
 * The parts left out of a catalog. Cached: a catalog never changes, and every request of every namespace needs them.
 */
interface Losses {
  readonly all: readonly LostPart[];
  /** The parts that are, or may be, of a package, as far as queried. */
  readonly byPackage: Map<string, readonly LostPart[]>;
}

const known = new WeakMap<Catalog, Losses>();

function lossesOf(catalog: Catalog): Losses {
  return getOrAdd(known, catalog, () => ({
    all: catalog.findings.flatMap((finding) => partLostBy(finding, catalog.name)),
    byPackage: new Map(),
  }));
}

function partLostBy(finding: Finding, catalog: string): readonly LostPart[] {
  const { dropped } = finding;
  if (isNameless(finding)) return [{ part: "document", catalog, finding }];
  return dropped === "package" || dropped === "channel" || dropped === "bundle"
    ? [{ part: dropped, catalog, finding }]
    : [];
}

/** Everything that was left out of a catalog and may be required. */
export function lostParts(catalog: Catalog): readonly LostPart[] {
  return lossesOf(catalog).all;
}

/** Everything that was left out of a catalog and may meet a requirement without a provider. */
export function lostFor(catalog: Catalog, constraint: Constraint): readonly LostPart[] {
  if (isOfCluster(constraint)) return [];
  return constraint.kind === "package" ? lostOf(catalog, constraint.name) : lostParts(catalog);
}

/** The parts left out of a catalog that belong, or may belong, to a package. */
export function lostOf(catalog: Catalog, owner: string): readonly LostPart[] {
  const { all, byPackage } = lossesOf(catalog);
  return getOrAdd(byPackage, owner, () => {
    const whole = lostPackage(catalog, owner);
    return whole ? [whole] : all.filter(({ part, finding }) => part === "document" || finding?.package === owner);
  });
}

/** Is the requirement about a version of the cluster, which no catalog has? */
export function isOfCluster(constraint: Constraint): boolean {
  return constraint.kind === "cel" && requiredVersion(constraint) !== undefined;
}

function isNameless({ code, dropped, package: owner }: Finding): boolean {
  if (code === "PL001" || dropped === "document" || dropped === "file") return true;
  return dropped === "package" && owner === undefined;
}
