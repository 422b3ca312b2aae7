// What is wrong with the input, and where? One form for the findings of all readers and of `lint`. Each kind of
// finding has a stable code; docs/lint.md explains every one of them.

import { shortened } from "../text/words.ts";
import { compareText } from "./json.ts";
import { comparePlaces, type Place } from "./place.ts";

/** An error: the input cannot be used as is; a warning: probably a mistake; info: worth knowing. */
export type Severity = "error" | "warning" | "info";

/** Every rule about the form of the input, by code: its name, its severity, and what is wrong. Codes are never reused. */
const TABLE = {
  // Reading: bytes to documents.
  PL001: ["unreadable", "error", "a file or directory could not be read to its end"],
  PL002: ["not-text", "error", "a file is not UTF-8 text"],
  PL003: ["syntax", "error", "a document is not valid YAML or JSON"],
  PL004: ["over-limit", "error", "a document is larger, deeper or more repetitive than is allowed"],
  PL005: ["duplicate-key", "error", "an object has the same key twice; the last one counts"],
  PL006: ["not-an-object", "error", "a document is a list or a single value"],
  PL007: ["no-schema", "error", "a document has neither `schema` nor `apiVersion` and `kind`"],
  PL008: ["unknown-kind", "warning", "a schema or kind is not known and resembles a known one, or its group is known"],
  PL009: ["wrong-shape", "error", "a field is missing or has a value of the wrong type"],
  PL010: ["misspelt-field", "warning", "a field is not known and resembles a known one, or belongs elsewhere"],
  PL011: ["nothing-found", "error", "an input contains nothing readable, or nothing that is known"],
  PL012: ["doubtful-value", "warning", "a value is valid, but probably a mistake, or has to be guessed"],
  PL013: ["misconfigured-placement", "error", "a Placement asks for something that cannot be decided"],
  // Reading a live cluster.
  PL014: ["unread-kind", "error", "a cluster did not return the objects of a kind, or not all of them"],
  PL015: ["kind-not-served", "warning", "a cluster does not serve kinds that a command reads"],
  PL016: ["unread-instances", "warning", "the custom resources of a kind were not read, or not all of them"],
  // Reading a catalog from a server or an image.
  PL017: ["not-carried", "warning", "the source of a catalog does not carry all of it"],
  // Packages.
  PL020: ["package-name", "error", "a package has no name, or one that is not a DNS label"],
  PL021: ["duplicate-package", "error", "two packages of one catalog have the same name"],
  PL022: ["no-default-channel", "error", "a package does not name its default channel"],
  PL023: ["default-channel-unusable", "error", "the default channel of a package is missing or had to be dropped"],
  PL025: ["unknown-package", "error", "a channel, bundle or deprecation belongs to a package that does not exist"],
  // Channels and their upgrade graphs.
  PL030: ["channel-name", "error", "a channel has no name"],
  PL031: ["duplicate-channel", "error", "a package has two channels of the same name"],
  PL032: ["empty-channel", "error", "a channel has no entries"],
  PL033: ["duplicate-entry", "error", "a channel lists a bundle twice"],
  PL034: ["entry-without-bundle", "error", "a channel lists a bundle that the package does not have"],
  PL035: ["no-head", "error", "every entry of a channel is replaced or skipped by another"],
  PL036: ["several-heads", "error", "a channel has more than one entry that nothing replaces or skips"],
  PL037: ["replaces-cycle", "error", "entries of a channel replace each other in a cycle"],
  PL038: ["stranded-entries", "error", "entries of a channel have no path to its head"],
  PL039: ["empty-skip", "error", "an entry skips a bundle with an empty name"],
  PL040: ["bad-skip-range", "error", "the skipRange of an entry is not a version range"],
  PL041: ["dangling-replaces", "info", "an entry replaces a bundle that the package does not have"],
  // Bundles and their properties.
  PL050: ["bundle-name", "error", "a bundle has no name"],
  PL051: ["duplicate-bundle", "error", "a package has two bundles of the same name"],
  PL052: ["bad-property", "error", "a property is not an object with a type and a JSON value"],
  PL053: ["bad-known-property", "error", "a property of a known type has a value of the wrong shape"],
  PL054: ["package-property-count", "error", "a bundle has not exactly one olm.package property"],
  PL055: ["package-mismatch", "error", "the olm.package property names another package than the bundle"],
  PL056: ["bad-version", "error", "the version of a bundle is not a semantic version"],
  PL057: ["bad-release", "error", "the release of a bundle is malformed or does not fit its version or name"],
  PL058: ["bundle-in-no-channel", "error", "no channel lists the bundle"],
  PL059: ["duplicate-version", "error", "two bundles of a package have the same version"],
  PL060: ["bad-image", "error", "an image reference cannot be pulled as written"],
  PL061: ["no-image", "warning", "bundles have neither an image nor manifests"],
  PL062: ["bad-related-image", "warning", "a related image of a bundle directory cannot be pulled as written"],
  PL063: ["bad-constraint", "error", "a constraint cannot be read, so that its bundle cannot be newly chosen"],
  // Deprecations.
  PL070: ["bad-deprecation", "error", "a deprecation entry lacks its reference or has one of an unknown schema"],
  PL071: ["unknown-deprecated", "error", "a deprecation refers to a bundle or channel that does not exist"],
  PL072: [
    "duplicate-deprecation",
    "error",
    "something is deprecated twice, or a package has two deprecation documents",
  ],
  PL073: ["no-deprecation-message", "error", "a deprecation does not state what to do instead"],
  // registry+v1 bundle directories.
  PL080: ["bundle-directory", "error", "a bundle directory lacks its manifests, annotations or a needed annotation"],
  PL081: ["csv-count", "error", "a bundle directory has not exactly one ClusterServiceVersion"],
  PL082: ["bad-dependency", "error", "an entry of dependencies.yaml or properties.yaml cannot be read"],
  PL083: ["stray-file", "warning", "a file in a bundle directory is not part of the bundle and is not read"],
  PL084: ["package-manifests", "error", "a package is in the package manifests format, which is older than bundles"],
  PL085: ["catalogs-beside-bundles", "warning", "catalogs that were made of the bundles of a tree are not read"],
} as const;

export type Code = keyof typeof TABLE;

/** What a code means. */
export interface FindingRule {
  readonly name: string;
  readonly severity: Severity;
  readonly meaning: string;
}

/** Every rule about the form of the input, by code. */
export const RULES: Readonly<Record<Code, FindingRule>> = Object.fromEntries(
  Object.entries(TABLE).map(([code, [name, severity, meaning]]) => [code, { name, severity, meaning }]),
) as Record<Code, FindingRule>;

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
  readonly dropped?: "file" | "cluster" | "kind" | "document" | "package" | "channel" | "bundle" | "deprecation";
}

/** Were whole objects left out because of it: of a document, a file, a kind or a cluster? */
export function losesObjects({ dropped }: Finding): boolean {
  return dropped === "document" || dropped === "file" || dropped === "kind" || dropped === "cluster";
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
