// Which rules are there, and what does one say about whom?

import type { Place } from "../model/place.ts";

/** The kinds of rules. */
export type RuleName =
  | "subscription"
  | "upgrade-edge"
  | "dependency"
  | "compound"
  | "cel-constraint"
  | "property-equals"
  | "conflict"
  | "optional"
  | "one-provider"
  | "one-bundle"
  | "deprecation"
  | "runtime-constraint"
  | "platform-version"
  | "install-mode"
  | "feature-gate"
  | "malformed-constraint"
  | "crd-upgrade"
  | "held-operator";

/** A rule about somebody, said in English. */
export interface Rule {
  readonly name: RuleName;
  /** Who must keep it: the name of a bundle, an operator, a request or an API. */
  readonly subject: string;
  /** The whole sentence, without a full stop. */
  readonly text: string;
  /** Where the rule is written down, if somebody wrote it. */
  readonly place?: Place | undefined;
}

/** A rule, without the place where there is none. */
export function rule(name: RuleName, subject: string, text: string, place?: Place): Rule {
  return place === undefined ? { name, subject, text } : { name, subject, text, place };
}
