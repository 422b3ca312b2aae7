// What is wrong with the input, and where? One form for the findings of all readers and of `lint`. Each kind of
// finding has a stable code; docs/lint.md explains every one of them.

import { shortened } from "../text/words.ts";
import { compareText } from "./json.ts";
import { comparePlaces, type Place } from "./place.ts";

/** An error: the input cannot be used as is; a warning: probably a mistake; info: worth knowing. */
export type Severity = "error" | "warning" | "info";

/** Every rule about the form of the input, by code. Codes are never reused. */
export const RULES = {
  // Reading: bytes to documents.
  PL001: { name: "unreadable", severity: "error", meaning: "a file or directory could not be read to its end" },
  PL002: { name: "not-text", severity: "error", meaning: "a file is not UTF-8 text" },
  PL003: { name: "syntax", severity: "error", meaning: "a document is not valid YAML or JSON" },
  PL004: {
    name: "over-limit",
    severity: "error",
    meaning: "a document is larger, deeper or more repetitive than is allowed",
  },
  PL005: { name: "duplicate-key", severity: "error", meaning: "an object has the same key twice; the last one counts" },
  PL006: { name: "not-an-object", severity: "error", meaning: "a document is a list or a single value" },
  PL007: {
    name: "no-schema",
    severity: "error",
    meaning: "a document has neither `schema` nor `apiVersion` and `kind`",
  },
  PL008: {
    name: "unknown-kind",
    severity: "warning",
    meaning: "a schema or kind is not known and resembles a known one, or its group is known",
  },
  PL009: { name: "wrong-shape", severity: "error", meaning: "a field is missing or has a value of the wrong type" },
  PL010: {
    name: "misspelt-field",
    severity: "warning",
    meaning: "a field is not known and resembles a known one, or belongs elsewhere",
  },
  PL011: { name: "nothing-found", severity: "error", meaning: "an input contains nothing readable" },
  PL012: {
    name: "doubtful-value",
    severity: "warning",
    meaning: "a value is valid, but probably a mistake, or has to be guessed",
  },
  PL013: {
    name: "misconfigured-placement",
    severity: "error",
    meaning: "a Placement asks for something that cannot be decided",
  },
  // Packages.
  PL020: { name: "package-name", severity: "error", meaning: "a package has no name, or one that is not a DNS label" },
  PL021: { name: "duplicate-package", severity: "error", meaning: "two packages of one catalog have the same name" },
  PL022: { name: "no-default-channel", severity: "error", meaning: "a package does not name its default channel" },
  PL023: {
    name: "default-channel-unusable",
    severity: "error",
    meaning: "the default channel of a package is missing or had to be dropped",
  },
  PL025: {
    name: "unknown-package",
    severity: "error",
    meaning: "a channel, bundle or deprecation belongs to a package that does not exist",
  },
  // Channels and their upgrade graphs.
  PL030: { name: "channel-name", severity: "error", meaning: "a channel has no name" },
  PL031: { name: "duplicate-channel", severity: "error", meaning: "a package has two channels of the same name" },
  PL032: { name: "empty-channel", severity: "error", meaning: "a channel has no entries" },
  PL033: { name: "duplicate-entry", severity: "error", meaning: "a channel lists a bundle twice" },
  PL034: {
    name: "entry-without-bundle",
    severity: "error",
    meaning: "a channel lists a bundle that the package does not have",
  },
  PL035: { name: "no-head", severity: "error", meaning: "every entry of a channel is replaced or skipped by another" },
  PL036: {
    name: "several-heads",
    severity: "error",
    meaning: "a channel has more than one entry that nothing replaces or skips",
  },
  PL037: { name: "replaces-cycle", severity: "error", meaning: "entries of a channel replace each other in a cycle" },
  PL038: { name: "stranded-entries", severity: "error", meaning: "entries of a channel have no path to its head" },
  PL039: { name: "empty-skip", severity: "error", meaning: "an entry skips a bundle with an empty name" },
  PL040: { name: "bad-skip-range", severity: "error", meaning: "the skipRange of an entry is not a version range" },
  PL041: {
    name: "dangling-replaces",
    severity: "info",
    meaning: "an entry replaces a bundle that the package does not have",
  },
  // Bundles and their properties.
  PL050: { name: "bundle-name", severity: "error", meaning: "a bundle has no name" },
  PL051: { name: "duplicate-bundle", severity: "error", meaning: "a package has two bundles of the same name" },
  PL052: {
    name: "bad-property",
    severity: "error",
    meaning: "a property is not an object with a type and a JSON value",
  },
  PL053: {
    name: "bad-known-property",
    severity: "error",
    meaning: "a property of a known type has a value of the wrong shape",
  },
  PL054: {
    name: "package-property-count",
    severity: "error",
    meaning: "a bundle has not exactly one olm.package property",
  },
  PL055: {
    name: "package-mismatch",
    severity: "error",
    meaning: "the olm.package property names another package than the bundle",
  },
  PL056: { name: "bad-version", severity: "error", meaning: "the version of a bundle is not a semantic version" },
  PL057: {
    name: "bad-release",
    severity: "error",
    meaning: "the release of a bundle is malformed or does not fit its version or name",
  },
  PL058: { name: "bundle-in-no-channel", severity: "error", meaning: "no channel lists the bundle" },
  PL059: { name: "duplicate-version", severity: "error", meaning: "two bundles of a package have the same version" },
  PL060: { name: "bad-image", severity: "error", meaning: "an image reference cannot be pulled as written" },
  PL061: { name: "no-image", severity: "warning", meaning: "bundles have neither an image nor manifests" },
  PL062: {
    name: "bad-related-image",
    severity: "warning",
    meaning: "a related image of a bundle directory cannot be pulled as written",
  },
  PL063: {
    name: "bad-constraint",
    severity: "error",
    meaning: "a constraint cannot be read, so that its bundle cannot be newly chosen",
  },
  // Deprecations.
  PL070: {
    name: "bad-deprecation",
    severity: "error",
    meaning: "a deprecation entry lacks its reference or has one of an unknown schema",
  },
  PL071: {
    name: "unknown-deprecated",
    severity: "error",
    meaning: "a deprecation refers to a bundle or channel that does not exist",
  },
  PL072: {
    name: "duplicate-deprecation",
    severity: "error",
    meaning: "something is deprecated twice, or a package has two deprecation documents",
  },
  PL073: {
    name: "no-deprecation-message",
    severity: "error",
    meaning: "a deprecation does not state what to do instead",
  },
  // registry+v1 bundle directories.
  PL080: {
    name: "bundle-directory",
    severity: "error",
    meaning: "a bundle directory lacks its manifests, annotations or a needed annotation",
  },
  PL081: {
    name: "csv-count",
    severity: "error",
    meaning: "a bundle directory has not exactly one ClusterServiceVersion",
  },
  PL082: {
    name: "bad-dependency",
    severity: "error",
    meaning: "an entry of dependencies.yaml or properties.yaml cannot be read",
  },
  PL083: {
    name: "stray-file",
    severity: "warning",
    meaning: "a file in a bundle directory is not part of the bundle and is not read",
  },
} as const;

export type Code = keyof typeof RULES;

/** One finding about the input. */
export interface Finding {
  readonly code: Code;
  readonly severity: Severity;
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
  readonly place: Place;
  readonly catalog?: string;
  readonly package?: string;
  readonly channel?: string;
  readonly bundle?: string;
  /** What was left out because of it. */
  readonly dropped?: "file" | "document" | "package" | "channel" | "bundle" | "deprecation";
}

/** The content of a finding besides its code and place. */
export type FindingDetail = Omit<Finding, "code" | "severity" | "place">;

/** Makes a finding with the severity of its rule. */
export function finding(code: Code, place: Place, detail: FindingDetail): Finding {
  const { message, help } = detail;
  return {
    code,
    severity: RULES[code].severity,
    place,
    ...detail,
    message: shortened(message, MAX_TEXT_LENGTH),
    ...(help !== undefined && { help: shortened(help, MAX_TEXT_LENGTH) }),
  };
}

/** Maximum length of a text of a finding: names are external input. */
const MAX_TEXT_LENGTH = 1000;

/** Takes findings. */
export type Report = (finding: Finding) => void;

/** Number of findings of a severity that are kept per input; more have one cause. */
const MAX_KEPT = 50_000;

/** Collects findings about one input in bounded memory. */
export class FindingList {
  readonly kept: Finding[] = [];

  readonly #count: Record<Severity, number> = { error: 0, warning: 0, info: 0 };

  readonly report: Report = (item) => {
    // Per severity: an info never displaces an error.
    if (this.#count[item.severity]++ < MAX_KEPT) this.kept.push(item);
  };
}

/** The order of findings: by place, then by code and message. */
export function compareFindings(a: Finding, b: Finding): number {
  return comparePlaces(a.place, b.place) || compareText(a.code, b.code) || compareText(a.message, b.message);
}

/** The findings in their order, each once. */
export function distinctFindings(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.toSorted(compareFindings);
  return sorted.filter((item, index) => index === 0 || compareFindings(sorted[index - 1] as Finding, item) !== 0);
}
