// How is a bundle's statement shown in one line? APIs and packages in words, constraints by their message, manifests by
// their kind and size, anything else as compact JSON.

import type { RequiredApi, RequiredPackage, StatedConstraint, Statements } from "../../catalog/statements.ts";
import type { Outline } from "../../constraint/outline.ts";
import { printBytes } from "../../input/limits.ts";
import type { Property } from "../../model/catalog.ts";
import { canonicalText, isObject, type Json, own } from "../../model/json.ts";
import { counted, shortened } from "../../text/words.ts";
import { cutMiddle } from "../kit/display-width.ts";
import { paragraph } from "../kit/lines.ts";
import { type Look, marksText } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { apiName, packageText, ruleOf, sentence } from "../sentence/constraint.ts";

export function providedLines({ provides }: Statements): string[] {
  return [...provides.apis.map(apiName), ...provides.labels.map((label) => `label ${label}`)].map(safeText);
}

export function requiredLines({ requires }: Statements, look: Look): string[] {
  return [
    ...requires.apis.map((api) => readableText(apiName(api), api)),
    ...requires.packages.map((one) => readableText(`package ${one.name} ${one.versionRange}`, one)),
    ...requires.labels.map((label) => `label ${label}`),
    ...requires.constraints.map(constraintText),
  ].flatMap((line) => paragraph(line, look.all ? { width: undefined } : look, { rest: "  ", margin: 2 }));
}

/** A requirement, and why it cannot be read, if so. */
function readableText(text: string, { problem }: RequiredApi | RequiredPackage): string {
  return problem === undefined ? text : `${text}, which cannot be read: ${problem}`;
}

/** The message of a constraint, or what it requires, with its kind in brackets. */
function constraintText(constraint: StatedConstraint): string {
  if (constraint.kind === "unreadable") {
    const { type, value, reason, read } = constraint;
    const what = `${type} ${shortened(canonicalText(value))}, which cannot be read: ${reason}`;
    return read.message === undefined ? what : `${read.message} (${what})`;
  }
  const { outline, message, action, optional } = constraint;
  const isConflict = action === "conflict";
  const demanded = demandText(outline);
  // As the resolver reads it: a conflict is a none around what must not run.
  const what = isConflict ? sentence({ kind: "none", scope: "solution", constraints: [outline] }) : demanded;
  const marks = [
    ...(isConflict ? ["conflict"] : []),
    ...(optional ? ["optional"] : []),
    ...(message === undefined ? [] : [ruleOf(outline) === undefined ? demanded : "CEL"]),
  ];
  return `${message ?? what}${marksText(marks)}`;
}

/** APIs and packages as the properties that require them are listed; anything else as a phrase. */
function demandText(outline: Outline): string {
  if (outline.kind === "gvk") return apiName(outline.gvk);
  return outline.kind === "package" ? `package ${packageText(outline.name, outline.range)}` : sentence(outline);
}

/** Every other property, as `type: value`. */
export function otherLines({ other }: Statements, look: Look): string[] {
  return other.map((property) => {
    const line = safeText(`${property.type}: ${valueText(property)}`);
    return look.width === undefined || look.all ? line : cutMiddle(line, Math.max(20, look.width - 2));
  });
}

function valueText({ type, value }: Property): string {
  if (type === "olm.bundle.object") return manifestText(value);
  if (type === "olm.csv.metadata") return metadataText(value);
  return canonicalText(value);
}

/** The kind, name and size of a manifest that a bundle carries. */
function manifestText(value: Json): string {
  const data = isObject(value) ? own(value, "data") : undefined;
  if (typeof data !== "string") return canonicalText(value);
  const manifest = decoded(data);
  if (manifest === undefined) return `not base64, ${printBytes(data.length)}`;
  const kind = kindOf(manifest);
  return `${kind === undefined ? "a manifest" : `kind ${kind}`}, ${printBytes(manifest.length)}`;
}

function kindOf(manifest: string): string | undefined {
  try {
    const kind: unknown = (JSON.parse(manifest) as { readonly kind?: unknown } | null)?.kind;
    return typeof kind === "string" ? kind : undefined;
  } catch {
    return /^kind:[ \t]*["']?([A-Za-z0-9]+)/m.exec(manifest)?.[1];
  }
}

/** The bytes of base64 text, one character each: enough to find a kind. */
function decoded(data: string): string | undefined {
  try {
    return atob(data);
  } catch {
    return undefined;
  }
}

function metadataText(value: Json): string {
  const name = isObject(value) ? own(value, "displayName") : undefined;
  const fields = isObject(value) ? Object.keys(value).length : 0;
  const summary = `${counted(fields, "field")}, ${printBytes(new TextEncoder().encode(canonicalText(value)).length)}`;
  return typeof name === "string" && name !== "" ? `${name}, ${summary}` : summary;
}
