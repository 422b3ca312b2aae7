// What is to be done, in words? One clause for each change.

import type { Correction } from "../../constraint/constraint.ts";
import { platformOf } from "../../constraint/version-rule.ts";
import { canonicalText, isObject, type Json, own } from "../../model/json.ts";
import { type Installed, numbersOf, type Problem } from "../../model/problem.ts";
import { quoted } from "../../render/sentence/constraint.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { parseClusterVersion } from "../../semver/tolerant.ts";
import { printVersion } from "../../semver/version.ts";
import { wholeName } from "../catalog-order.ts";
import type { Fix } from "../resolution.ts";
import { type Change, flagsOf, type Wish, wishText } from "../what-if.ts";

/** So many corrections of a bundle are told. */
const MOST_CORRECTIONS = 3;

/** Changes to a problem as a piece of advice; `because` are the causes that only the first of them uncover. */
export function fixOf(changes: readonly Change[], problem: Problem, because: readonly string[] = []): Fix {
  const text = changes.map((change) => changeText(change, problem)).join(", and ");
  return { text, namespace: problem.namespace, changes, ...(because.length > 0 && { because }) };
}

function changeText(change: Change, problem: Problem): string {
  switch (change.kind) {
    case "ask":
      return `subscribe to ${change.wish.package}, so that it can be updated`;
    case "drop":
      return `drop the request for ${change.package}${isLeftAlone(change.package, problem) ? ", which then stays as it is" : ""}`;
    case "instead":
      return wishChangeText(change.wish, problem);
    case "correct":
      return correctionText(change.bundle, change.corrections);
    case "elsewhere":
      return `install ${change.wish.package} in namespace ${change.namespace}, whose OperatorGroup fits`;
    case "meant":
      return `ask for ${wishText(change.wish)} instead of ${change.package}`;
    case "hold": {
      const version = versionOf(problem.installed.find((one) => one.package === change.package));
      return `hold ${change.package}${version === undefined ? "" : ` at ${version}`}`;
    }
    case "release":
      return `${change.flag === "hold" ? "no longer hold" : "do not remove"} ${change.package} (leave out --${change.flag})`;
    case "approve": {
      const runs = problem.requests.some((one) => one.package === change.package && one.installed !== undefined);
      return `approve the ${runs ? "update" : "installation"} of ${change.package}`;
    }
    case "remove": {
      const version = versionOf(problem.installed.find((one) => one.package === change.package));
      return `remove the installed ${change.package}${version === undefined ? "" : ` ${version}`}`;
    }
    case "declare":
      return declarationText(change, problem);
    case "without-constraint":
      return constraintText(change.number, problem);
    case "compound-constraints":
      return "allow compound constraints";
    case "ignore-unavailable":
      return `do not wait for ${problem.unavailable.map(({ name }) => `catalog ${name}`).join(", ")}`;
    case "partly":
      return "take what is possible";
    case "limit":
      return change.limit === "maxConflicts" ? "search longer" : "let rules cost more";
  }
}

/** Does the operator of the package stay as it is once these requests are gone? No other request keeps it up to date. */
function isLeftAlone(owner: string, { requests }: Problem): boolean {
  const running = requests.flatMap((one) => (one.package === owner ? (one.installed ?? []) : []));
  const isClaimed = (name: string): boolean => requests.some((one) => one.package !== owner && one.installed === name);
  return running.length > 0 && !running.some(isClaimed);
}

/** Only the author can do it: what to write, a few of it. */
function correctionText(bundle: string, corrections: readonly Correction[]): string {
  const shown = corrections
    .slice(0, MOST_CORRECTIONS)
    .map(({ was, is }) => (was === is ? `${quoted(is)} as text` : `${quoted(is)} instead of ${quoted(was)}`));
  const rest = corrections.length - shown.length;
  const more = rest > 0 ? [`${rest} more`] : [];
  return `have the constraints of ${bundle} corrected: write ${[...shown, ...more].join(", ")}`;
}

/** Only what is different is worth a word. */
function wishChangeText({ package: owner, catalog, range, channel }: Wish, problem: Problem): string {
  const before = problem.requests.filter((request) => request.package === owner);
  const version = range === undefined ? "" : ` ${range.text}`;
  const isOtherChannel = channel !== undefined && before.some((one) => one.channel !== channel);
  const isOtherCatalog =
    catalog !== undefined &&
    before.some(
      ({ catalog: one }) =>
        one?.name !== catalog.name || (catalog.namespace !== undefined && one.namespace !== catalog.namespace),
    );
  const from = [
    ...(isOtherChannel ? [`channel ${channel}`] : []),
    ...(isOtherCatalog ? [`catalog ${wholeName(catalog)}`] : []),
  ];
  if (from.length > 0) return `take ${owner}${version} from ${from.join(" of ")}`;
  if (version !== "") return `ask for ${owner}${version}`;
  return before.every((one) => one.channel === undefined)
    ? `ask for any version of ${owner}`
    : `take ${owner} from any channel`;
}

function declarationText(change: Extract<Change, { readonly kind: "declare" }>, { node }: Problem): string {
  const { type, value } = change.property;
  const platform = platformOf(type);
  if (platform !== undefined) {
    const version = `${platform} ${String(value)}${change.isLeast ? " or newer" : ""}`;
    const isKnown = typeof parseClusterVersion(statedVersion(node, type) ?? "") === "object";
    return isKnown
      ? `upgrade the cluster to ${version}`
      : `give the version of the cluster: ${flagsOf(change)[0]}; ${version} would do`;
  }
  if (type === "olm.gvk" && isObject(value)) {
    const [group, version, kind] = [own(value, "group"), own(value, "version"), own(value, "kind")];
    return `if the cluster has the API ${String(kind)} (${String(group)}/${String(version)}), declare it`;
  }
  if (type === "olm.label" && isObject(value))
    return `if the cluster has it, declare the label ${String(own(value, "label"))}`;
  return `if the cluster has it, declare ${type} = ${canonicalText(value as Json)}`;
}

function constraintText(number: number, { runtime }: Problem): string {
  const value = runtime.entries[numbersOf(runtime).indexOf(number)]?.property.value;
  const message = isObject(value) ? (own(value, "message") ?? own(value, "failureMessage")) : undefined;
  const said = typeof message === "string" ? ` (${quoted(message)})` : "";
  return `if it no longer applies, lift the administrator's constraint ${number}${said}`;
}

function versionOf(installed: Installed | undefined): string | undefined {
  return installed?.version === undefined ? undefined : printVersion(installed.version);
}
