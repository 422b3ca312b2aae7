// How does a finding about the change of a CustomResourceDefinition read: what is wrong, why does it matter, what helps?
// One entry for each code.

import type { CrdDetails, CrdStatement, LostVersion, StatementOf } from "../../crd/finding.ts";
import { type CrdCode, ruleOf, type SchemaCode } from "../../crd/finding-codes.ts";
import { shortened } from "../../text/words.ts";
import { grouped, named, namedAll, userText } from "./crd-words.ts";
import { faultText, undecidedText } from "./object-fault.ts";
import { type CrdSentences, schemaSentences, subjectOf } from "./schema-difference.ts";
import { ruleFaultText, schemaFaultText } from "./schema-fault.ts";

/** The longest text of a finding. */
const MAX_TEXT_LENGTH = 2001;

/** What is wrong, in one sentence without a full stop, with the values. */
export function crdMessage(finding: CrdStatement): string {
  const { message } = sentencesOf(finding);
  const { code, more } = finding;
  if (more === undefined) return shortened(message, MAX_TEXT_LENGTH);
  const what = code.startsWith("CRD2") ? "differences" : `findings of ${code}`;
  return shortened(`${grouped(more)} more ${what} are not listed; the first is: ${message}`, MAX_TEXT_LENGTH);
}

/** What to do about it. */
export function crdHelp(finding: CrdStatement): string {
  return shortened(sentencesOf(finding).help, MAX_TEXT_LENGTH);
}

/** Why it matters here, where that is not what the rule says in general. */
export function crdParticularWhy(finding: CrdStatement): string | undefined {
  return sentencesOf(finding).why;
}

/** Why it matters. */
export function crdWhy(finding: CrdStatement): string {
  return crdParticularWhy(finding) ?? ruleOf(finding.code).why;
}

function sentencesOf(finding: CrdStatement): CrdSentences {
  const { code } = finding;
  const sentences = isSchemaCode(code) ? schemaSentences : SENTENCES[code];
  return (sentences as (finding: CrdStatement) => CrdSentences)(finding);
}

function isSchemaCode(code: CrdCode): code is SchemaCode {
  return code.startsWith("CRD2");
}

type Sentences = {
  readonly [Code in Exclude<CrdCode, SchemaCode>]: (finding: StatementOf<Code>) => CrdSentences;
};

const SENTENCES: Sentences = {
  CRD001: ({ detail: { storage, versions } }) =>
    storage.length === 0
      ? {
          message: "no version is the storage version",
          help: `write storage: true at one of the versions: ${namedAll(versions)}`,
        }
      : {
          message: `${storage.length} versions are the storage version: ${namedAll(storage)}`,
          help: `write storage: true at one of ${namedAll(storage)} only, and storage: false at the others`,
        },
  CRD002: ({ version, detail: { first, isListed } }) => ({
    message: `spec.version is ${named(version)}, but the first of spec.versions is ${named(first)}`,
    help: isListed
      ? `move ${named(version)} to the top of spec.versions, or leave spec.version out`
      : `write version: ${named(first)}, or leave spec.version out`,
  }),
  CRD003: ({ version, detail }) => {
    const { by, kind } = detail;
    const owner = `${by} owns ${named(kind)} ${named(version)}`;
    return detail.versions === undefined
      ? {
          message: `${owner}, but its bundle has no definition of ${named(kind)}`,
          help: `put ${named(detail.crd)} into the bundle, or take ${named(kind)} out of the owned kinds of the ClusterServiceVersion`,
        }
      : {
          message: `${owner}, but the definition has only ${namedAll(detail.versions)}`,
          help: `add ${named(version)} to the definition${orOwn(detail.served)} in the ClusterServiceVersion`,
        };
  },
  CRD004: ({ version, detail: { by, kind, served } }) => ({
    message: `${by} owns ${named(kind)} ${named(version)}, but the definition has it with served: false`,
    help: `write served: true at ${named(version)}${orOwn(served)} in the ClusterServiceVersion`,
  }),
  CRD005: ({ version }) => ({
    message: `version ${named(version)} is there more than once`,
    help: `keep one ${named(version)} and remove the others, or give them names of their own`,
  }),
  CRD006: ({ version }) => ({
    message: `version ${named(version)} has no schema`,
    help: `write schema.openAPIV3Schema for ${named(version)}; with type: object and x-kubernetes-preserve-unknown-fields: true it takes anything`,
  }),
  CRD007: ({ path, detail }) =>
    detail.kind === "neighbours"
      ? {
          message: `the schemas of the ${detail.served} versions that are served are too large to compare each with each: each was compared with its neighbours only`,
          help: "stop serving versions that are no longer used",
        }
      : { message: mistakeText(path, schemaFaultText(detail.fault), detail), help: SCHEMA_HELP[detail.fault.category] },
  CRD008: ({ path, detail }) => ({
    message: mistakeText(path, schemaFaultText(detail.fault), detail),
    help: SCHEMA_HELP["bad-pattern"],
  }),
  CRD009: ({ path, detail }) => ({
    message: mistakeText(path, ruleFaultText(detail.fault), detail),
    help: "fix the rule; `plimsoll cel check` shows what is wrong with an expression",
  }),
  CRD010: ({ path, detail }) => ({
    message: mistakeText(path, ruleFaultText(detail.fault), detail),
    help: "bound the lists, maps and texts around it with maxItems, maxProperties and maxLength, or make the rule simpler",
  }),
  CRD101: ({ version: name, detail: { kind, crd, isRecorded, storage, left } }) => {
    const [version, elsewhere] = [named(name), storage === undefined ? "another version" : named(storage)];
    return {
      message: isRecorded
        ? `objects may be stored in ${version} (status.storedVersions), but the new CRD does not have it`
        : `objects are stored in ${version}, but the new CRD does not have it`,
      help: [
        `in this order: (1) ship a bundle that still has ${version}, with served: false and storage: false, and storage: true at ${elsewhere}`,
        `(2) write every stored ${named(kind)} again, unchanged, so that it is stored in ${elsewhere}`,
        `(3) set status.storedVersions of ${named(crd)} to [${(left.length > 0 ? left.map(named) : [elsewhere]).join(", ")}]`,
        `(4) ship the bundle without ${version}`,
      ].join("; "),
    };
  },
  CRD102: ({ version, detail: { compat } }) => ({
    message: `${named(version)} was still served and is gone from the new CRD${compat ? "; OLM allows that" : ""}`,
    help: `mark ${named(version)} as deprecated, so that its users are warned; then ship a bundle that has it with served: false; remove it in the one after, once nothing is stored in it`,
  }),
  CRD103: ({ version, detail: { kind, crd, lost, served }, ...subject }) => {
    const user = userText(subject);
    return {
      message: `${user} requires ${named(kind)} ${named(version)}, ${LOST[lost](crd)}`,
      help:
        lost === "definition-removed"
          ? `keep ${named(crd)} until ${user} is gone or no longer requires it`
          : `keep ${named(version)} with served: true until ${user} no longer requires it, but ${another(served)}`,
    };
  },
  CRD104: ({ detail: { from, to } }) => ({
    message: `the scope changes from ${named(from)} to ${named(to)}`,
    help: `write scope: ${named(from)} again; for another scope, define another kind and move the objects to it`,
  }),
  CRD105: ({ detail: { part, from, to } }) => ({
    message: `the ${part} changes from ${named(from)} to ${named(to)}`,
    help: `write ${part}: ${named(from)} again; another ${part} needs a definition of its own, and the objects moved to it`,
  }),
  CRD106: ({ version, detail: { kind, crd, lost, served }, ...subject }) => {
    const user = userText(subject);
    return {
      message: `${user} works with ${named(kind)} ${named(version)}, ${LOST[lost](crd)}`,
      help: `update ${user} to one that owns ${another(served)} first, or keep ${named(version)} with served: true`,
    };
  },
  CRD107: ({ detail: { crd, plural, owners } }) => {
    const still = ` but ${owners.join(" and ")} still ${owners.length === 1 ? "owns" : "own"} it`;
    return {
      message: `${named(crd)} is no longer there${owners.length === 0 ? "" : `,${still}`}`,
      help: `put ${named(crd)} back, or say who looks after the ${named(plural)} that are there`,
    };
  },
  CRD108: ({ version, detail: { from, kind, isKept } }) => ({
    message: `objects are stored in ${named(version)} from now on, and were in ${named(from)}`,
    help: `${isKept ? "keep" : "bring back"} ${named(from)} in the definition until every ${named(kind)} was written again and status.storedVersions no longer has ${named(from)}`,
  }),
  CRD109: ({ version }) => ({
    message: `objects are stored in ${named(version)}, which is not served`,
    help: `write storage: true at a version that is served, or serve ${named(version)}`,
  }),
  CRD110: () => ({
    message: "a webhook converted objects between versions, and no longer does",
    help: "keep spec.conversion until all objects are stored in one version and the schemas of the served versions are alike",
  }),
  CRD111: () => ({
    message: "a webhook converts objects between versions: each was checked in the version in which it was given only",
    help: "give the objects in every version that is served, to check what the webhook makes of them",
  }),
  CRD112: ({ version, detail: { subresource } }) => ({
    message: `${named(version)} no longer has the subresource ${named(subresource)}`,
    help: `write subresources.${named(subresource)} at ${named(version)} again`,
  }),
  CRD113: ({ version, detail: { storage, fields, moreFields } }) => {
    const texts = fields.map(({ path, isAny }) => `${isAny ? "any field in " : ""}${subjectOf(path)}`);
    if (moreFields > 0) texts.push(`${moreFields} more`);
    const [here, there] = [named(version), named(storage)];
    return {
      message: `${here} has ${texts.join(", ")}, but objects are stored in ${there}, which does not`,
      help: `add ${texts.length === 1 ? "it" : "them"} to the schema of ${there}, write storage: true at ${here} instead, or convert objects by a webhook`,
    };
  },
  CRD114: ({ version, detail }) => {
    if (detail.subresource === "status")
      return {
        message: `${named(version)} has the subresource status from now on`,
        why: "what is written to the object itself no longer changes its status, and what is written to status changes nothing else",
        help: `make sure that clients that write .status in ${named(version)} write it to the subresource`,
      };
    const { key, from, to } = detail;
    const [was, is] = [from, to].map((path) => (path === undefined ? "no field" : named(path)));
    return {
      message: `${key} of the subresource scale of ${named(version)} is ${is}, and was ${was}`,
      why: "autoscalers and kubectl scale read and write another field than before",
      help: `${from === undefined ? `leave ${key} out` : `write ${key}: ${named(from)} again`}, unless it is meant`,
    };
  },
  CRD115: ({ version, detail: { crd } }) => ({
    message: `${named(version)} is removed, and whether objects are stored in it is not known: status.storedVersions was not given`,
    help: `look at the cluster (kubectl get customresourcedefinitions.apiextensions.k8s.io ${named(crd)} -o jsonpath='{.status.storedVersions}') and name these versions with \`crd check --stored\`, or give the CRD of the cluster as the old one`,
  }),
  CRD116: ({ version, detail: { served } }) => ({
    message: `${named(version)} was served and no longer is`,
    help: `make sure that every client uses ${another(served)}, then accept it: by the severity of served-version-ends (--crd-settings)`,
  }),
  CRD117: ({ version }) => ({
    message: `${named(version)}, which was not served, is gone from the new CRD`,
    help: "nothing: no object is stored in it, and no client could use it",
  }),
  CRD118: ({ detail: { kind, storage } }) => ({
    message: `no version of ${named(kind)} is served any more`,
    help: `write served: true at ${storage === undefined ? "one of the versions" : named(storage)}`,
  }),
  CRD119: ({ version, detail: { kind, crd, storage: to, isMoved } }) => {
    const storage = named(to);
    const first = isMoved
      ? `ship a bundle that stores objects in ${storage} and keeps spec.conversion`
      : "keep spec.conversion in this bundle";
    return {
      message: `objects may be stored in ${named(version)}, which only the webhook converted to ${storage}; without it, what ${storage} does not have is lost`,
      help: `in this order: (1) ${first}; (2) write every stored ${named(kind)} again, unchanged, so that it is stored in ${storage}; (3) take ${named(version)} out of status.storedVersions of ${named(crd)}; (4) ship the bundle without spec.conversion`,
    };
  },
  CRD301: (finding) => {
    const { path, version, isStuck, detail } = finding;
    const [field, schema] = [path || ".", `the schema of ${named(version)}`];
    return {
      message: `${objectText(finding)}: ${faultsText(detail)}`,
      help: isStuck
        ? `nothing can be done to the object now, because the old schema would drop ${field}: give ${field} a default in ${schema}, ship a version in between that has it without requiring it, or add it to the CRD of the cluster first and then set it in the object`
        : detail.isRequired
          ? `set ${field} in the object before the upgrade; or leave it optional in ${schema}, or give it a default`
          : `change ${field} of the object before the upgrade, so that it is valid under both definitions; or let ${schema} allow it`,
    };
  },
  CRD302: (finding) => {
    const { path, version, detail } = finding;
    const { fields, moreFields, isStored } = detail;
    const more = moreFields > 0 ? ` and ${moreFields} more` : "";
    const why = `whichever version it is written in, it is stored in ${named(version)} from now on: the value is gone then`;
    return {
      message: `${objectText(finding)} loses ${fields.map(shortFault).join(", ")}${more}: the schema of ${named(version)} does not have it`,
      ...(isStored && { why }),
      help: `keep ${path || "."} in the schema of ${named(version)}, or copy its value to where the new operator looks for it before the upgrade`,
    };
  },
  CRD303: (finding) => ({
    message: `${objectText(finding)} was not valid before: ${faultsText(finding.detail)}`,
    help: `fix ${finding.path || "."} of the object: as it is, the API server takes no change of it in ${named(finding.version)}`,
  }),
  CRD304: (finding) => {
    const { version, detail } = finding;
    const who = objectText(finding);
    switch (detail.kind) {
      case "limit":
        return {
          message: `${who} was not checked to its end: ${shortFault(undecidedText(detail.reason))}`,
          help: `try the change on a cluster: kubectl apply --dry-run=server with the new CRD and the object in ${named(version)}`,
        };
      case "unknown-version":
        return {
          message: `${who} is given in ${named(version)}, but the definition that is there has ${namedAll(detail.versions)}`,
          why: "an object that the cluster cannot have in that version says nothing about the upgrade: it was not checked",
          help: `give the object in ${namedAll(detail.versions, "or")}, or give the definition that is really on the cluster as the old one`,
        };
      case "no-version": {
        const lacks = detail.isRemoved ? "the new CRD does not have" : "is not served before and after";
        return {
          message: `${who} is given in ${named(version)}, which ${lacks}: it was not checked`,
          why: "a webhook converts objects: what this one is in another version is not known here",
          help: `give the object in ${namedAll(detail.served, "or")}, as the API server converts it today`,
        };
      }
    }
  },
};

const SCHEMA_HELP = {
  "not-allowed": "write it out with keywords that a CustomResourceDefinition may have",
  "wrong-shape": "write a value of the right type, or leave the keyword out",
  "too-deep": "make it flatter, or end it with x-kubernetes-preserve-unknown-fields: true",
  "too-large": "make the schema smaller, or split it into several kinds",
  "bad-pattern": "write a pattern that RE2 understands: no look-around, no back-references",
} as const;

function mistakeText(
  path: string,
  fault: string,
  { hasField, isChanged }: { readonly hasField: boolean; readonly isChanged?: true | undefined },
): string {
  // What is about the whole schema has no field.
  return `${hasField ? `${subjectOf(path)}: ` : ""}${fault}${isChanged ? ", and it is not what it was before" : ""}`;
}

function orOwn(served: readonly string[]): string {
  return served.length === 0 ? "" : `, or own ${namedAll(served, "or")} instead`;
}

function another(served: readonly string[]): string {
  return served.length === 0 ? "another version" : namedAll(served, "or");
}

/** `crd` is the name of the definition. */
const LOST: Readonly<Record<LostVersion, (crd: string) => string>> = {
  "definition-removed": (crd) => `but ${named(crd)} is no longer there`,
  removed: () => "which the new CRD does not have",
  "no-longer-served": () => "which the new CRD no longer serves",
  "not-served": () => "which the new CRD does not serve",
};

/** `winches "old-faithful" in namespace quay-north`. */
function objectText({ object, detail }: StatementOf<"CRD301" | "CRD302" | "CRD303" | "CRD304">): string {
  const where = object?.namespace === undefined ? "" : ` in namespace ${named(object.namespace)}`;
  return `${named(detail.plural)} ${JSON.stringify(shortFault(object?.name ?? ""))}${where}`;
}

function faultsText({ faults, moreFaults }: CrdDetails["CRD303"]): string {
  const texts = faults.map(({ field, detail }) => {
    // What a rule says is a sentence of its own.
    const isRule = detail.kind === "rule" || detail.kind === "rule-broken" || detail.kind === "rule-error";
    return shortFault(`${field || "the object"}${isRule ? ":" : ""} ${faultText(detail)}`);
  });
  return [...texts, ...(moreFaults > 0 ? [`and ${moreFaults} more`] : [])].join("; ");
}

const MAX_FAULT_LENGTH = 301;

function shortFault(text: string): string {
  return shortened(text, MAX_FAULT_LENGTH);
}
