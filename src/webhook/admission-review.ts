// What does the API server ask, and how is it answered? AdmissionReviews of admission.k8s.io/v1. Anything that reaches the port can have
// sent the text, so it is bounded, and nothing in it is believed but what it says of its own fields.

import { isUtf8 } from "node:buffer";
import { TextFault } from "../input/json-text.ts";
import { exactJson } from "../input/json-value.ts";
import { isObject, type JsonObject, own, partOf } from "../model/json.ts";
import { safeText } from "../render/kit/safe-text.ts";
import { shortened } from "../text/words.ts";

/** Bytes of a review: that of an object that etcd can hold, before and after an update. */
export const MAX_REVIEW_BYTES: number = 3 * 1024 * 1024;
const MAX_DEPTH = 512;
const MAX_UID = 128;
/** The longest name of a namespace or an object. */
const MAX_NAME = 253;

/** What is asked: may this be written? */
export interface AdmissionRequest {
  readonly uid: string;
  readonly group: string;
  readonly kind: string;
  /** Empty for an object that is not in a namespace, or whose name is not known yet. */
  readonly namespace: string;
  readonly name: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** As it would be; none for a deletion. */
  readonly object: JsonObject | undefined;
  /** As it is; none for a creation. */
  readonly oldObject: JsonObject | undefined;
}

/** May it be written? */
export interface Verdict {
  /** Why not, in lines; none if it may. */
  readonly denial?: string | undefined;
  /** A line each. */
  readonly warnings: readonly string[];
}

/** There is nothing to say against it. */
export const ALLOWED: Verdict = { warnings: [] };

/** The request of a review; a text says why there is none. */
export function readReview(body: Uint8Array): AdmissionRequest | string {
  if (body.length > MAX_REVIEW_BYTES) return "the review is too large";
  const review = parsed(body);
  if (typeof review === "string") return review;
  if (own(review, "apiVersion") !== "admission.k8s.io/v1" || own(review, "kind") !== "AdmissionReview")
    return "this is no AdmissionReview of admission.k8s.io/v1";
  const request = partOf(review, "request");
  const kind = partOf(request, "kind");
  const operation = OPERATIONS.find((known) => known === own(request, "operation"));
  const uid = textOf(request, "uid", MAX_UID);
  const [group, kindName] = [textOf(kind, "group", MAX_NAME), textOf(kind, "kind", MAX_NAME)];
  const [namespace, name] = [textOf(request, "namespace", MAX_NAME), textOf(request, "name", MAX_NAME)];
  const [object, oldObject] = [objectOf(request, "object"), objectOf(request, "oldObject")];
  if (operation === undefined || !uid || group === undefined || !kindName)
    return "the request of the review is incomplete";
  if (namespace === undefined || name === undefined || object === "wrong" || oldObject === "wrong")
    return "a field of the request has a wrong type or is too long";
  return { uid, group, kind: kindName, namespace, name, operation, object, oldObject };
}

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

function parsed(body: Uint8Array): JsonObject | string {
  if (!isUtf8(body)) return "the review is not UTF-8";
  try {
    const value = exactJson(new TextDecoder().decode(body), MAX_DEPTH);
    return isObject(value) ? value : "the review is not an object";
  } catch (error) {
    if (error instanceof TextFault) return "the review is not JSON, or is nested too deeply";
    throw error;
  }
}

/** A text of limited length, empty if it is not given; undefined for anything else. */
function textOf(object: JsonObject, key: string, longest: number): string | undefined {
  const value = own(object, key) ?? "";
  return typeof value === "string" && value.length <= longest ? value : undefined;
}

function objectOf(request: JsonObject, key: string): JsonObject | undefined | "wrong" {
  const value = own(request, key) ?? undefined;
  return value === undefined || isObject(value) ? value : "wrong";
}

/** API servers cut warnings that are longer, or if all of them are. */
const MAX_WARNING = 250;
const MAX_WARNINGS = 15;
/** Of lines of a denial, and of all of them. */
const MAX_LINE = 600;
const MAX_DENIAL = 16 * 1024;

/** The answer, as JSON. */
export function answerText({ uid }: Pick<AdmissionRequest, "uid">, { denial, warnings }: Verdict): string {
  const shown = limited(warnings, MAX_WARNINGS).map((line) => shortened(safeText(line), MAX_WARNING));
  const status = { status: "Failure", message: denial, reason: "Invalid", code: 422 };
  const response = {
    uid,
    allowed: denial === undefined,
    ...(denial !== undefined && { status }),
    ...(shown.length > 0 && { warnings: shown }),
  };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

/** A denial: what is wrong, and a line for each mistake, as many as fit. */
export function denialOf(what: string, mistakes: readonly string[]): string {
  const lines: string[] = [];
  let length = what.length;
  for (const mistake of mistakes) {
    const line = `  ${shortened(safeText(mistake), MAX_LINE)}`;
    length += line.length + 1;
    if (length > MAX_DENIAL) break;
    lines.push(line);
  }
  const more = mistakes.length - lines.length;
  return [`${what}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

/** The first, and how many more there are. */
function limited(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more warnings`];
}
