// Which fields does a lock file have? Their meaning is documented in src/model/lock.ts.

import { INPUT_KINDS } from "../model/lock.ts";
import { list, object, oneOf, type Shape, text } from "./shape.ts";

const INPUT: Shape = object(
  { kind: oneOf(...INPUT_KINDS), subject: text, value: text, digest: text },
  "kind",
  "digest",
);

const PACKAGE: Shape = object(
  { catalog: text, package: text, digest: text, bundles: list(text) },
  "catalog",
  "package",
  "digest",
);

const BUNDLE: Shape = object(
  { catalog: text, package: text, name: text, channel: text, digest: text },
  "catalog",
  "package",
  "name",
  "channel",
  "digest",
);

/** The package of an operator may be unknown. */
const CHANGE: Shape = object({
  package: text,
  from: text,
  alsoFrom: list(text),
  to: text,
  catalog: text,
  channel: text,
  subscriptions: list(text),
});

const GENERATION: Shape = object({ steps: list(object({ changes: list(CHANGE) }, "changes")) }, "steps");

const PLAN: Shape = object(
  {
    namespace: text,
    inputs: list(INPUT),
    packages: list(PACKAGE),
    bundles: list(BUNDLE),
    generations: list(GENERATION),
    end: text,
  },
  "namespace",
  "inputs",
  "generations",
  "end",
);

/** A whole lock file. */
export const LOCK: Shape = object(
  { apiVersion: oneOf("plimsoll.dev/v1alpha1"), kind: oneOf("Lock"), engine: text, plans: list(PLAN) },
  "apiVersion",
  "kind",
  "engine",
  "plans",
);
