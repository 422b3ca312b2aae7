// From where can an image be pulled, and in which order? Mirrors of registries.conf and of a cluster, then the registry itself.

import { field, listField, textField, textsField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { type ImageReference, readImageReference, referenceText } from "./reference.ts";

export interface Mirror {
  /** What replaces the source: `mirror.example:5000/quay`. */
  readonly location: string;
  readonly isInsecure: boolean;
  /** For which references it is used. */
  readonly pulls: "all" | "digest" | "tag";
}

/** What is known about the images below one prefix. */
export interface MirrorRule {
  /** `quay.io`, `quay.io/ns`, `quay.io/ns/name`, or `*.example.com`. */
  readonly source: string;
  /** What replaces the source if it is pulled from the source itself; undefined if it stays. */
  readonly location?: string;
  /** In their order. */
  readonly mirrors: readonly Mirror[];
  /** The source itself is never asked. */
  readonly isBlocked: boolean;
  /** Its certificate is not verified, and it may speak http. */
  readonly isInsecure: boolean;
  /** Where the rule is from, for messages: `the file "/etc/containers/registries.conf"`. */
  readonly origin: string;
}

/** One place of an image. */
export interface Candidate {
  /** As it is pulled. */
  readonly reference: ImageReference;
  readonly isInsecure: boolean;
  readonly isMirror: boolean;
}

/** A place that is not asked. */
export interface Excluded {
  readonly location: string;
  /** `it is blocked by the file …`. */
  readonly reason: string;
}

export interface Sources {
  readonly candidates: readonly Candidate[];
  readonly excluded: readonly Excluded[];
}

const MAX_ENTRIES = 10_000;
const MAX_CANDIDATES = 50;

/** All places of an image: the mirrors of the longest source that it is below, then itself. */
export function sourcesOf(reference: ImageReference, rules: readonly MirrorRule[]): Sources {
  const text = referenceText(reference);
  const matched = longestMatch(text, rules);
  const rest = (rule: MirrorRule): string => text.slice(matchedLength(text, rule.source));
  const kind = reference.digest === undefined ? "tag" : "digest";
  const places = matched.flatMap((rule) => [
    ...rule.mirrors
      .filter(({ pulls }) => pulls === "all" || pulls === kind)
      .map(({ location, isInsecure }) => ({ text: location + rest(rule), isInsecure, isMirror: true })),
  ]);
  const [first] = matched;
  const own = first?.location === undefined ? text : first.location + rest(first);
  places.push({ text: own, isInsecure: false, isMirror: false });
  const candidates: Candidate[] = [];
  const excluded: Excluded[] = [];
  const seen = new Set<string>();
  for (const place of places) {
    if (seen.has(place.text) || seen.size === MAX_CANDIDATES) continue;
    seen.add(place.text);
    const read = readImageReference(place.text);
    // What counts is the rule for the place itself, which may be a mirror of another one.
    const about = longestMatch(place.text, rules);
    const blocking = about.find(({ isBlocked }) => isBlocked);
    if ("fault" in read) excluded.push({ location: place.text, reason: `it is not an image: ${read.fault}` });
    else if (blocking !== undefined)
      excluded.push({ location: place.text, reason: `it is blocked by ${blocking.origin}` });
    else
      candidates.push({
        reference: read,
        isInsecure: place.isInsecure || about.some(({ isInsecure }) => isInsecure),
        isMirror: place.isMirror,
      });
  }
  return { candidates, excluded };
}

/** The rules of the longest source that a reference is below; of two with one length, a name counts before a wildcard. */
function longestMatch(text: string, rules: readonly MirrorRule[]): readonly MirrorRule[] {
  let longest = "";
  for (const { source } of rules) {
    const isLonger = source.length > longest.length;
    const isName = source.length === longest.length && !source.startsWith("*") && longest.startsWith("*");
    if ((isLonger || isName) && matchedLength(text, source) >= 0) longest = source;
  }
  return longest === "" ? [] : rules.filter(({ source }) => source === longest);
}

/** How much of a reference a source is; -1 if the reference is not below it. */
function matchedLength(text: string, source: string): number {
  const isWild = source.startsWith("*.");
  const at = isWild ? text.indexOf(source.slice(1)) : text.startsWith(source) ? 0 : -1;
  if (source === "" || at === -1 || (isWild && (at === 0 || text.slice(0, at).includes("/")))) return -1;
  const end = at + source.length - (isWild ? 1 : 0);
  return end === text.length || /[/:@]/.test(text[end] as string) ? end : -1;
}

/** Where the mirrors are in an object of a cluster, and for which references they are used. */
const SETS: Readonly<Record<string, readonly [list: string, pulls: Mirror["pulls"]]>> = {
  ImageDigestMirrorSet: ["imageDigestMirrors", "digest"],
  ImageTagMirrorSet: ["imageTagMirrors", "tag"],
  ImageContentSourcePolicy: ["repositoryDigestMirrors", "digest"],
};

/** The rules of an ImageDigestMirrorSet, ImageTagMirrorSet or ImageContentSourcePolicy; none for anything else. */
export function clusterMirrorRules(object: unknown): readonly MirrorRule[] {
  const kind = textField(object, "kind") ?? "";
  const set = Object.hasOwn(SETS, kind) ? SETS[kind] : undefined;
  if (set === undefined) return [];
  const [list, pulls] = set;
  const origin = `the ${kind} ${quoted(textField(field(object, "metadata"), "name") ?? "")}`;
  return listField(field(object, "spec"), list)
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => {
      const source = textField(entry, "source")?.replace(/\/+$/, "");
      if (source === undefined || source === "") return [];
      const locations = textsField(entry, "mirrors")
        .map((location) => location.replace(/\/+$/, ""))
        .filter((location) => location !== "");
      // As OpenShift does: without another place, the source is not blocked either.
      if (locations.every((location) => location === source)) return [];
      return {
        source,
        mirrors: locations.map((location) => ({ location, isInsecure: false, pulls })),
        isBlocked: textField(entry, "mirrorSourcePolicy") === "NeverContactSource",
        isInsecure: false,
        origin,
      };
    });
}
