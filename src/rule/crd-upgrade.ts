// May a bundle change what the cluster has of a custom kind?

import { type Rule, rule } from "./rule.ts";

/** What is wrong with a change. */
export interface Objection {
  /** Under which it is explained in docs/crd.md. */
  readonly code: string;
  readonly message: string;
  /** What whoever runs the cluster can do first, as a sentence; nothing where only the author can do something. */
  readonly remedy: () => string | undefined;
}

/** So many objections are told; the rest is counted. */
const MOST_TOLD = 5;

const known = new WeakMap<Rule, readonly Objection[]>();

/**
 * What a bundle makes of the CustomResourceDefinitions of the cluster loses and breaks nothing (seed 004; docs/crd.md):
 * `¬bundle`.
 */
export function crdUpgradeRule(
  subject: string,
  definition: string,
  objections: readonly Objection[],
  assumedFrom?: string,
): Rule | undefined {
  if (objections.length === 0) return undefined;
  const told = objections.slice(0, MOST_TOLD).map(({ code, message }) => `${message} (${code})`);
  const rest = objections.length - told.length;
  const all = rest > 0 ? [...told, `${rest} more`] : told;
  const text = `${subject} would change the CRD ${definition}${assumption(assumedFrom)}: ${all.join("; ")}`;
  const refused = rule("crd-upgrade", subject, text);
  known.set(refused, objections);
  return refused;
}

/** What is said of a definition that was not given; nothing where it was. */
export function assumption(assumedFrom: string | undefined): string {
  return assumedFrom === undefined ? "" : `, which was not given and is assumed to be that of ${assumedFrom}`;
}

/** Who needs a version moves on, then it is no longer served, then nothing is stored in it. */
const STEPS: readonly string[] = ["CRD103", "CRD106", "CRD102", "CRD101", "CRD119"];

function stepOf({ code }: Objection): number {
  const step = STEPS.indexOf(code);
  return step === -1 ? STEPS.length : step;
}

/** Everything that would have to be done first on the cluster; nothing where that would not be enough. */
export function remediesOf(refused: Rule): readonly string[] | undefined {
  const objections = (known.get(refused) ?? []).toSorted((a, b) => stepOf(a) - stepOf(b));
  const remedies = objections.flatMap(({ remedy }) => remedy() ?? []);
  return remedies.length === objections.length ? [...new Set(remedies)] : undefined;
}
