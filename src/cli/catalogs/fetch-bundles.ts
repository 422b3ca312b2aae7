// Which manifests does an answer need that its catalogs leave out? Those of the bundles that it chooses. They are fetched from the
// images of the bundles, and the question is asked again: a bundle whose definitions are not safe is then not chosen, and the
// manifests of the next one are needed.

import { MANIFEST } from "../../constraint/manifests.ts";
import { withProperties } from "../../input/catalog/with-properties.ts";
import type { Bundle, Catalog, Property } from "../../model/catalog.ts";
import { type Finding, finding } from "../../model/finding.ts";
import type { Problem } from "../../model/problem.ts";
import type { FetchedObjects } from "../../remote/bundle-objects.ts";
import { counted, listed } from "../../text/words.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { progressOf } from "../progress.ts";
import type { Question } from "../question/load.ts";
import { type Reading, remoteSources } from "./load-catalogs.ts";

/** An operator of an answer, by its package and the name of its bundle. */
export interface Chosen {
  readonly package: string;
  readonly name: string;
}

/** Answers problems: which operators does the answer have? */
export type Choose = (problems: readonly Problem[]) => readonly Chosen[];

/** No answer has more operators that change; a catalog with hostile definitions must not lead through all its bundles. */
const MAX_BUNDLES = 1000;

/** The question with the manifests that its answer needs; `choose` answers it. */
export async function withFetchedBundles(question: Question, choose: Choose, reading: Reading): Promise<Question> {
  const { fetchObjects, ...sources } = await remoteSources(reading);
  const setting = question.again?.setting ?? sources.setting;
  const progress = progressOf(reading.flags, reading.terminal, "fetching manifests");
  const shown = { onProgress: () => {}, registry: { ...setting.registry, onWait: progress.waiting } };
  let count = 0;
  const fetch: Fetch = (images) =>
    fetchObjects(images, { ...setting, ...shown }, reading.files.limits, () => progress.count(++count, "bundle"));
  const withManifests = await completedQuestion(question, choose, fetch).finally(() => progress.end());
  reading.terminal.endPhase(() => `asked for the manifests of ${counted(count, "bundle")}`);
  return withManifests;
}

/** The manifests of several images, in their order. */
type Fetch = (images: readonly string[]) => Promise<readonly FetchedObjects[]>;

/** The same, whichever way manifests are fetched, and of at most so many bundles. */
export async function completedQuestion(
  question: Question,
  choose: Choose,
  fetch: Fetch,
  maxBundles: number = MAX_BUNDLES,
): Promise<Question> {
  const tried = new Map<string, readonly Property[]>();
  const findings: Finding[] = [];
  const codes: ExitCode[] = [];
  const fetchAll = async (bundles: readonly Bundle[]): Promise<void> => {
    const all = await fetch(bundles.map(({ image }) => image));
    for (const [index, bundle] of bundles.entries()) {
      const fetched = all[index] as FetchedObjects;
      tried.set(bundle.image, "properties" in fetched ? fetched.properties : []);
      if ("properties" in fetched) continue;
      findings.push(unfetched(bundle, fetched));
      codes.push(EXIT.unreachable);
    }
  };
  let current = question;
  while (current.again !== undefined) {
    const { catalogs, withCatalogs } = current.again;
    const wanted = lacking(catalogs, choose(current.problems), tried);
    const [first] = wanted;
    if (first === undefined) break;
    if (tried.size >= maxBundles) {
      findings.push(tooMany(first, wanted, maxBundles));
      codes.push(EXIT.undecided);
      break;
    }
    await fetchAll(wanted.slice(0, maxBundles - tried.size));
    current = withCatalogs(catalogs.map((catalog) => completed(catalog, tried)));
  }
  return { ...current, findings: [...current.findings, ...findings], codes: [...current.codes, ...codes] };
}

/** Bundles of the answer without manifests, one for each image. */
function lacking(
  catalogs: readonly Catalog[],
  chosen: readonly Chosen[],
  tried: ReadonlyMap<string, unknown>,
): readonly Bundle[] {
  const wanted = new Map<string, Bundle>();
  for (const { package: owner, name } of chosen)
    for (const { packages } of catalogs) {
      const bundle = packages.get(owner)?.bundles.get(name);
      if (bundle !== undefined && needsManifests(bundle) && !tried.has(bundle.image)) wanted.set(bundle.image, bundle);
    }
  return [...wanted.values()];
}

function needsManifests({ image, properties }: Bundle): boolean {
  return image !== "" && !properties.some(({ type }) => type === MANIFEST);
}

/** The catalog with all manifests that were fetched. */
function completed(catalog: Catalog, fetched: ReadonlyMap<string, readonly Property[]>): Catalog {
  const more = new Map<Bundle, readonly Property[]>();
  for (const { bundles } of catalog.packages.values())
    for (const bundle of bundles.values()) {
      const properties = fetched.get(bundle.image) ?? [];
      if (properties.length > 0 && needsManifests(bundle)) more.set(bundle, properties);
    }
  return more.size === 0 ? catalog : withProperties(catalog, more);
}

function unfetched(
  { name, package: owner, image, place }: Bundle,
  { message, help }: Exclude<FetchedObjects, { properties: unknown }>,
): Finding {
  return finding("PL017", place, {
    message: `the manifests of ${name} could not be fetched from ${image}, so changes of its CRDs are not checked: ${message}`,
    ...(help !== undefined && { help }),
    package: owner,
    bundle: name,
  });
}

function tooMany({ place }: Bundle, bundles: readonly Bundle[], maxBundles: number): Finding {
  const names = listed(bundles.map(({ name }) => name));
  return finding("PL017", place, {
    message: `the manifests of ${names} were not fetched, so changes of CRDs are not checked: those of ${counted(maxBundles, "bundle")} were fetched, which is the limit`,
    help: "ask about fewer operators at a time, for example about one namespace",
  });
}
