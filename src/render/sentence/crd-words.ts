// How are numbers, names from the input and lost fields written in sentences about CustomResourceDefinitions?

import type { CrdFinding, CrdSubject } from "../../crd/finding.ts";
import type { Loss } from "../../crd/rewrite-loss.ts";
import { enumerated, quoted } from "../../text/words.ts";
import { nameWith } from "./names.ts";

/** A whole number with its digits in threes: `10,000,000`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const MAX_NAME_LENGTH = 81;

/** A name from the input: as it is where it is a plain word, otherwise quoted and shortened. */
export function named(name: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name) && name.length <= 253 ? name : quoted(name, MAX_NAME_LENGTH);
}

const MAX_NAMES = 20;

/** Several names: `a`, `a and b`, `a, b and c`. */
export function namedAll(names: readonly string[], word: "and" | "or" = "and"): string {
  const more = names.length - MAX_NAMES;
  const words = [...names.slice(0, MAX_NAMES).map(named), ...(more > 0 ? [`${more} more`] : [])];
  return words.length === 0 ? "none" : enumerated(words, word);
}

/** `namespace/name` of an object. */
export function objectName({ namespace, name }: NonNullable<CrdFinding["object"]>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What is lost: ".spec.rope of quay-north/old-faithful", or ".spec.rope" where no object is known to have it. */
export function lossText({ fields, more }: Loss): string {
  const parts = fields.map(({ path, object }) => (object === undefined ? path : `${path} of ${objectName(object)}`));
  return [...parts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** The operator that a finding names, and where it runs: "crane-yard 1.4.0 in quay-south". */
export function userText({ user = "", userIn }: Pick<CrdSubject, "user" | "userIn">): string {
  return userIn === undefined ? user : nameWith(user, userIn);
}
