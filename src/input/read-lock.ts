// What does a lock file contain? Reads the document that src/plan/lock/print-lock.ts writes; a lock is returned only
// if it is complete and valid.

import { type Finding, FindingList, finding } from "../model/finding.ts";
import { compareText, type JsonObject } from "../model/json.ts";
import { INPUT_KINDS, type InputKind, type Lock, type LockedChange, type LockedPlan } from "../model/lock.ts";
import { inside, type Place } from "../model/place.ts";
import { CLUSTER_SCOPE } from "../model/problem.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { optionalTexts, partsOf, textFields, textOf, textsOf } from "./objects/fields.ts";
import { complete, each, list, object, objectWith, oneOf, type Shape, text } from "./shape.ts";

/** The lock, unless there are errors; and the errors. */
export interface LockRead {
  readonly lock?: Lock;
  readonly findings: readonly Finding[];
}

/** Reads a lock file. `source` is its name. */
export function readLock(text: string, source: string): LockRead {
  const { kept, report } = new FindingList();
  const place: Place = { source, line: 1, column: 1 };
  const document = readJsonFile(text, place, LOCK_FILE, report);
  if (document === undefined) return { findings: kept };
  const parts = partsOf(document, "plans");
  const plans = parts.map(readPlan);
  const seen = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const { namespace } = plans[index] as LockedPlan;
    const fault = scopeFault(part, namespace, seen);
    if (fault !== undefined) report(finding("PL009", inside(place, "plans", index), { message: fault }));
    else seen.add(namespace);
  }
  if (seen.size < plans.length) return { findings: kept };
  const sorted = plans.sort((a, b) => compareText(a.namespace, b.namespace));
  return { lock: { engine: textOf(document, "engine") ?? "", plans: sorted }, findings: kept };
}

/** A plan is about a namespace or the cluster scope that no other one is about. */
function scopeFault(part: JsonObject, namespace: string, seen: ReadonlySet<string>): string | undefined {
  const isOfCluster = textOf(part, "scope") !== undefined;
  if (namespace === CLUSTER_SCOPE && !isOfCluster) return "a plan of the lock has neither a namespace nor a scope";
  if (!seen.has(namespace)) return undefined;
  return `the lock has ${isOfCluster ? "the cluster scope" : `namespace ${namespace}`} twice`;
}

function readPlan(part: JsonObject): LockedPlan {
  return {
    ...textFields(part, "namespace", "end"),
    ...(textOf(part, "scope") !== undefined && { namespace: CLUSTER_SCOPE }),
    inputs: partsOf(part, "inputs").map((one) => {
      const value = textOf(one, "value");
      const kind = textOf(one, "kind") as InputKind;
      return { kind, ...textFields(one, "subject", "digest"), ...(value !== undefined && { value }) };
    }),
    packages: partsOf(part, "packages").map((one) => ({
      ...textFields(one, "catalog", "package", "digest"),
      bundles: textsOf(one, "bundles"),
    })),
    bundles: partsOf(part, "bundles").map((one) => textFields(one, "catalog", "package", "name", "channel", "digest")),
    generations: partsOf(part, "generations").map((one) => ({
      steps: partsOf(one, "steps").map((step) => partsOf(step, "changes").map(readChange)),
    })),
  };
}

function readChange(part: JsonObject): LockedChange {
  return {
    ...textFields(part, "package"),
    ...optionalTexts(part, "from", "to", "catalog", "channel"),
    alsoFrom: textsOf(part, "alsoFrom"),
    subscriptions: textsOf(part, "subscriptions"),
  };
}

const INPUT: Shape = objectWith(["kind", "digest"], {
  kind: oneOf(...INPUT_KINDS),
  subject: text,
  value: text,
  digest: text,
});

const PACKAGE: Shape = objectWith(["catalog", "package", "digest"], {
  catalog: text,
  package: text,
  digest: text,
  bundles: list(text),
});

const BUNDLE: Shape = complete({ catalog: text, package: text, name: text, channel: text, digest: text });

/** The package of an operator may be unknown. */
const CHANGE: Shape = object({
  package: text,
  from: text,
  alsoFrom: list(text),
  ...each(text, "to", "catalog", "channel"),
  subscriptions: list(text),
});

const GENERATION: Shape = complete({ steps: list(complete({ changes: list(CHANGE) })) });

const PLAN: Shape = objectWith(["inputs", "generations", "end"], {
  namespace: text,
  scope: oneOf("cluster"),
  inputs: list(INPUT),
  packages: list(PACKAGE),
  bundles: list(BUNDLE),
  generations: list(GENERATION),
  end: text,
});

const LOCK_FILE: JsonFile = {
  name: "a lock file",
  help: "give a file that plimsoll plan --lock has written",
  maxDepth: DEFAULT_LIMITS.maxDepth,
  shape: complete({
    apiVersion: oneOf("plimsoll.dev/v1alpha1"),
    kind: oneOf("Lock"),
    engine: text,
    plans: list(PLAN),
  }),
};
