// What is deprecated in a package?

import type { Deprecations } from "../../model/catalog.ts";
import { type Code, finding, type Report } from "../../model/finding.ts";
import { comparePlaces, inside } from "../../model/place.ts";
import type { Parts } from "./package.ts";
import type { DeprecationDraft } from "./read-package.ts";

const NONE: Deprecations = { channels: new Map(), bundles: new Map() };

/** The deprecations of a package; an invalid entry is left out with a finding. */
export function assembleDeprecations(name: string, parts: Parts, report: Report): Deprecations {
  if (parts.deprecations.length === 0) return NONE;
  const [first, ...more] = [...parts.deprecations].sort((a, b) => comparePlaces(a.place, b.place));
  for (const extra of more)
    report(
      finding("PL072", extra.place, {
        message: `package ${name} has two deprecation documents`,
        help: "move all entries into one; both are used as long as they do not repeat each other",
        package: name,
      }),
    );
  const found: Found = { channels: new Map(), bundles: new Map() };
  const channels = new Set(parts.channels.map((channel) => channel.name));
  const bundles = new Set([...parts.bundles.map((bundle) => bundle.name), ...parts.brokenBundles]);
  for (const draft of first === undefined ? [] : [first, ...more]) {
    for (const [position, entry] of draft.entries.entries()) {
      const fault = take(entry, name, found, channels, bundles);
      if (fault === undefined) continue;
      const [code, step, message] = fault;
      report(
        finding(code, inside(draft.place, "entries", position, ...(step === undefined ? [] : [step])), {
          message,
          package: name,
          ...(code !== "PL073" && { dropped: "deprecation" }),
        }),
      );
    }
  }
  return found;
}

/** The deprecations found so far. */
type Found = { package?: string; readonly channels: Map<string, string>; readonly bundles: Map<string, string> };

/** Adds one entry, or returns what is wrong with it. */
function take(
  entry: DeprecationDraft,
  owner: string,
  found: Found,
  channels: ReadonlySet<string>,
  bundles: ReadonlySet<string>,
): readonly [Code, "reference" | undefined, string] | undefined {
  const schema = entry.reference?.schema ?? "";
  const name = entry.reference?.name ?? "";
  const message = entry.message ?? "";
  switch (schema) {
    case "":
      return ["PL070", "reference", "the deprecation does not state the schema of its reference"];
    case "olm.package":
      if (name !== "")
        return ["PL070", "reference", `a deprecation of the package ${owner} must not have a name, but has ${name}`];
      if (found.package !== undefined) return ["PL072", "reference", `the package ${owner} is deprecated twice`];
      found.package = message;
      break;
    case "olm.channel":
    case "olm.bundle": {
      const [known, taken] = schema === "olm.channel" ? [channels, found.channels] : [bundles, found.bundles];
      const what = `${schema.slice(4)} ${name}`;
      if (name === "") return ["PL070", "reference", `the deprecation does not name its ${schema.slice(4)}`];
      if (!known.has(name)) return ["PL071", "reference", `package ${owner} has no ${what} that could be deprecated`];
      if (taken.has(name)) return ["PL072", "reference", `the ${what} is deprecated twice`];
      taken.set(name, message);
      break;
    }
    default:
      return [
        "PL070",
        "reference",
        `a deprecation refers to schema ${JSON.stringify(schema)}, which is not olm.package, olm.channel or olm.bundle`,
      ];
  }
  return message === "" ? ["PL073", undefined, "the deprecation has no message"] : undefined;
}
