// What is to be done, in words? One clause for each piece of advice, and a sentence for what others have to do first.

import { platformOf } from "../../constraint/version-rule.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { Advice } from "../../resolve/explain/advice.ts";
import type { Remedy } from "../../resolve/explain/remedies.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { Fix } from "../../resolve/resolution.ts";
import { byKind } from "../kit/by-kind.ts";
import { messageText } from "./constraint.ts";
import { lossText, userText } from "./crd-words.ts";
import { versionFlag } from "./flags.ts";
import { byVersion } from "./names.ts";

/** "hold lading at 1.9.0, and ask for customs-broker 2.0.0". */
export function fixText({ advice }: Pick<Fix, "advice">): string {
  return advice.map(adviceText).join(", and ");
}

const adviceText: (advice: Advice) => string = byKind({
  ask: (advice) => `subscribe to ${advice.package}, so that it can be updated`,
  drop: (advice) => `drop the request for ${advice.package}${advice.isLeftAlone ? ", which then stays as it is" : ""}`,
  instead: insteadText,
  correct: correctionText,
  elsewhere: (advice) => `install ${advice.package} in namespace ${advice.namespace}, whose OperatorGroup fits`,
  meant: (advice) => `ask for ${printNamedRequest(advice.request)} instead of ${advice.package}`,
  hold: (advice) => `hold ${advice.package}${advice.version === undefined ? "" : ` at ${advice.version}`}`,
  release: (advice) => `${advice.flag === "hold" ? "no longer hold" : "do not remove"} ${advice.package}`,
  approve: (advice) => `approve the ${advice.isUpdate ? "update" : "installation"} of ${advice.package}`,
  remove: (advice) =>
    `remove the installed ${advice.package}${advice.version === undefined ? "" : ` ${advice.version}`}`,
  "cluster-version": (advice) => {
    const version = `${platformOf(advice.type)} ${advice.version}${advice.isLeast ? " or newer" : ""}`;
    return advice.isKnown
      ? `upgrade the cluster to ${version}`
      : `give the version of the cluster: ${versionFlag(advice.type)}; ${version} would do`;
  },
  "declare-api": (advice) => {
    const { kind, group, version } = advice.gvk;
    return `if the cluster has the API ${kind} (${group}/${version}), declare it`;
  },
  "declare-label": (advice) => `if the cluster has it, declare the label ${advice.label}`,
  declare: (advice) => `if the cluster has it, declare ${advice.type} = ${advice.value}`,
  "without-constraint": (advice) => {
    const said = advice.message === undefined ? "" : ` (${messageText(advice.message)})`;
    return `if it no longer applies, lift the administrator's constraint ${advice.number}${said}`;
  },
  "compound-constraints": () => "allow compound constraints",
  "ignore-unavailable": (advice) => `do not wait for ${advice.catalogs.map((name) => `catalog ${name}`).join(", ")}`,
  partly: () => "take what is possible",
  limit: (advice) => (advice.limit === "maxConflicts" ? "search longer" : "let rules cost more"),
  "self-certify": (advice) =>
    `if its author supports the jump, set upgradeConstraintPolicy: SelfCertified in ClusterExtension ${advice.extension}`,
  "give-catalog": catalogText,
  "repair-catalog": (advice) => `fix catalog ${advice.catalog}${advice.help === undefined ? "" : `: ${advice.help}`}`,
});

type Of<Kind extends Advice["kind"]> = Extract<Advice, { readonly kind: Kind }>;

/** Only the author can do it: what to write, a few of it. */
function correctionText({ bundle, corrections, more }: Of<"correct">): string {
  const shown = corrections.map(({ was, is }) =>
    was === is ? `${messageText(is)} as text` : `${messageText(is)} instead of ${messageText(was)}`,
  );
  const rest = more > 0 ? [`${more} more`] : [];
  return `have the constraints of ${bundle} corrected: write ${[...shown, ...rest].join(", ")}`;
}

/** Only what is different is worth a word. */
function insteadText({ package: owner, range, channel, catalog, hadChannel }: Of<"instead">): string {
  const version = range === undefined ? "" : ` ${range}`;
  const from = [
    ...(channel === undefined ? [] : [`channel ${channel}`]),
    ...(catalog === undefined ? [] : [`catalog ${wholeName(catalog)}`]),
  ];
  if (from.length > 0) return `take ${owner}${version} from ${from.join(" of ")}`;
  if (range !== undefined) return `ask for ${owner}${version}`;
  return hadChannel ? `take ${owner} from any channel` : `ask for any version of ${owner}`;
}

function catalogText({ why, name, path }: Of<"give-catalog">): string {
  const what = {
    unreadable: `fix catalog ${name}, or give it from another path`,
    "not-given": "give the content of that catalog",
    unnamed: `give the content of catalog ${name}, if the cluster has it`,
  }[why];
  return `${what}: --catalog ${path}=PATH`;
}

/** What others have to do before something is possible. */
export const remedyText: (remedy: Remedy) => string = byKind({
  rewrite: ({ crd, version, loses }) => {
    const first =
      loses.fields.length === 0
        ? ""
        : `Rewriting objects of ${crd} would lose ${lossText(loses)}: move that to other fields first. `;
    return `${first}Rewrite every stored object of ${crd}, so that none is stored in ${version}, then remove ${version} from its status.storedVersions.`;
  },
  "update-first": ({ to, version }) =>
    `Update to ${to.package} ${to.version} before that: it has ${version} but no longer serves it.`,
  "update-user": (remedy) =>
    `Update ${userText(remedy)} to a version that does not ${remedy.needs} ${remedy.version}, or remove it.`,
  "change-object": ({ plural, namespace, name }) =>
    `Change ${plural} ${namespace === undefined ? name : `${namespace}/${name}`}.`,
  "give-objects": (remedy) =>
    `Give the objects of ${remedy.crd} with -f: if all of them are valid under the new schema, it is less serious.`,
  "repair-runtime-constraints": () => "Fix the runtime constraints; the errors in the input say what is wrong.",
  "correct-constraints": (remedy) =>
    `Have the constraints of ${byVersion(remedy.of)} corrected, as it says above; what else is in the way shows only then.`,
});
