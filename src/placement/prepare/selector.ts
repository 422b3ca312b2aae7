// Does a cluster have the labels, or the claims, that a selector asks for? Kubernetes' label selector, with its rules for
// valid selectors (k8s.io/apimachinery, labels.NewRequirement).
import { whyNotLabelValue, whyNotQualifiedName } from "../../cel/library/kubernetes/format-rules.ts";
import { compareText } from "../../model/json.ts";
import { type TextMap, textUnder } from "../../model/labels.ts";
import type { ClusterClaim, ManagedCluster } from "../../model/managed-cluster.ts";
import {
  holds,
  type LabelSelector,
  type ReadRequirement,
  SELECTOR_OPERATORS,
  type SelectorRequirement,
} from "../../model/selector.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { SelectorFault, UnknownWord } from "../fault.ts";

/** One line of a selector, ready for evaluation. */
export interface Requirement extends ReadRequirement {
  readonly key: string;
  /** As people write it: `cloud In (Amazon, Azure)`. */
  readonly rule: string;
  /** Its path below the selector. */
  readonly steps: readonly (string | number)[];
}

/** What is wrong with a line of a selector. */
export interface SelectorMistake {
  readonly fault: SelectorFault;
  readonly steps: readonly (string | number)[];
}

/** A selector that was read: its requirements, or everything that is wrong with it. */
export interface ReadSelector {
  readonly requirements: readonly Requirement[];
  readonly mistakes: readonly SelectorMistake[];
}

/** Reads a label selector: matchLabels by key, then matchExpressions. An absent one asks for nothing. */
export function readLabelSelector(selector: LabelSelector | undefined): ReadSelector {
  if (selector === undefined) return { requirements: [], mistakes: [] };
  const labels = Object.keys(selector.matchLabels)
    .sort(compareText)
    .map((key) => {
      const values = [textUnder(selector.matchLabels, key) as string];
      return readRequirement({ key, operator: "In", values }, ["matchLabels", key], `${key} = ${values[0]}`);
    });
  const { requirements, mistakes } = readRequirements(selector.matchExpressions);
  return {
    requirements: [...labels.flatMap((read) => read.requirements), ...requirements],
    mistakes: [...labels.flatMap((read) => read.mistakes), ...mistakes],
  };
}

/** Reads matchExpressions: all that a claimSelector has. */
export function readRequirements(given: readonly SelectorRequirement[]): ReadSelector {
  const read = given.map((requirement, index) => readRequirement(requirement, ["matchExpressions", index]));
  return { requirements: read.flatMap((one) => one.requirements), mistakes: read.flatMap((one) => one.mistakes) };
}

function readRequirement(given: SelectorRequirement, steps: readonly (string | number)[], rule?: string): ReadSelector {
  const mistakes: SelectorMistake[] = [];
  const add = (fault: SelectorFault) => mistakes.push({ fault, steps });
  const wrongKey = whyNotQualifiedName(given.key)[0];
  if (wrongKey !== undefined) add({ kind: "label", field: "key", value: given.key, why: wrongKey });
  const operator = SELECTOR_OPERATORS.find((known) => known === given.operator);
  if (operator === undefined) {
    add(unknownWord("operator", given.operator, SELECTOR_OPERATORS));
    return { requirements: [], mistakes };
  }
  const wantsValues = operator === "In" || operator === "NotIn";
  if (wantsValues && given.values.length === 0) add({ kind: "values-missing", operator });
  if (!wantsValues && given.values.length > 0) add({ kind: "values-unwanted", operator });
  for (const value of given.values) {
    const wrong = whyNotLabelValue(value)[0];
    if (wrong !== undefined) add({ kind: "label", field: "value", value, why: wrong });
  }
  if (mistakes.length > 0) return { requirements: [], mistakes };
  const values = new Set(given.values);
  const text = rule ?? [given.key, operator, ...(wantsValues ? [`(${[...values].join(", ")})`] : [])].join(" ");
  return { requirements: [{ key: given.key, operator, values, rule: text, steps }], mistakes };
}

/** The value of a claim; of two with one name, the later counts. */
export function claimOf(claims: readonly ClusterClaim[], name: string): string | undefined {
  for (let index = claims.length - 1; index >= 0; index--) {
    const claim = claims[index] as ClusterClaim;
    if (claim.name === name) return claim.value;
  }
  return undefined;
}

/** Do all requirements hold for these labels? */
export function holdForLabels(requirements: readonly Requirement[], labels: TextMap): boolean {
  for (const requirement of requirements) if (!holds(requirement, textUnder(labels, requirement.key))) return false;
  return true;
}

/** The label or claim that a requirement is about. */
export function valueUnder(
  { kind, key }: { readonly kind: "label" | "claim"; readonly key: string },
  { labels, claims }: Pick<ManagedCluster, "labels" | "claims">,
): string | undefined {
  return kind === "label" ? textUnder(labels, key) : claimOf(claims, key);
}

/** A word that the API does not know, and what was probably meant. */
export function unknownWord(field: string, value: string, known: readonly string[]): UnknownWord {
  const meant = didYouMean(value, known);
  return { kind: "unknown-word", field, value, known, ...(meant !== undefined && { meant }) };
}
