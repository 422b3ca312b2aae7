// Which fields does a saved problem have? Their meaning is documented in src/model/problem.ts.

import { RULES } from "../model/finding.ts";
import {
  anything,
  boolean,
  complete,
  integer,
  integerOrText,
  list,
  map,
  object,
  oneOf,
  type Shape,
  text,
} from "./shape.ts";

const PLACE_FIELDS = {
  source: text,
  line: integer,
  column: integer,
  path: list(integerOrText),
  offset: integer,
  ofKey: boolean,
  exact: boolean,
};
const PLACE: Shape = object(
  { ...PLACE_FIELDS, elsewhere: map(object(PLACE_FIELDS, "source", "line", "column")) },
  "source",
  "line",
  "column",
);

const FINDING: Shape = object(
  {
    code: oneOf(...Object.keys(RULES)),
    severity: oneOf("error", "warning", "info"),
    message: text,
    help: text,
    place: PLACE,
    catalog: text,
    package: text,
    channel: text,
    bundle: text,
    dropped: oneOf("file", "document", "package", "channel", "bundle", "deprecation"),
  },
  "code",
  "severity",
  "message",
  "place",
);

const PROPERTY: Shape = object({ type: text, value: anything }, "type");

const INSTALLED: Shape = object(
  {
    namespace: text,
    name: text,
    package: text,
    version: text,
    properties: list(PROPERTY),
    minKubeVersion: text,
    installModes: list(complete({ type: text, supported: boolean })),
    owned: list(text),
    hold: object({ by: oneOf("condition", "flag"), text, package: text }, "by", "text"),
    place: PLACE,
  },
  "namespace",
  "name",
  "properties",
  "installModes",
);

const REQUEST: Shape = object(
  {
    id: text,
    name: text,
    priority: integer,
    package: text,
    catalog: object({ name: text, namespace: text }, "name"),
    channel: text,
    range: text,
    startingCSV: text,
    installed: text,
    approval: oneOf("Automatic", "Manual"),
    isGenerated: boolean,
    place: PLACE,
  },
  "id",
  "name",
  "priority",
  "package",
  "approval",
);

const OPTIONS: Shape = object({
  compat: boolean,
  compoundScope: oneOf("solution", "bundle"),
  compoundConstraints: boolean,
  allOrNothing: boolean,
  installOptional: boolean,
  ignoreUnavailable: boolean,
  maxConflicts: integer,
  celCostLimit: integer,
  maxConstraintBytes: integer,
  maxConstraintDepth: integer,
  crdSeverities: map(oneOf("error", "warning", "info", "off")),
});

const CATALOG: Shape = object(
  {
    name: text,
    namespace: text,
    priority: integer,
    findings: list(FINDING),
    dropped: object({ packages: integer, channels: integer, bundles: integer }),
    documents: list(complete({ place: PLACE, document: map(anything) })),
  },
  "name",
  "priority",
  "documents",
);

const DEFINITION: Shape = object(
  {
    definition: map(anything),
    version: text,
    storedVersions: list(text),
    place: PLACE,
    objects: list(complete({ object: map(anything), apiVersion: text, kind: text, place: PLACE })),
    isPartial: boolean,
    assumedFrom: text,
  },
  "definition",
  "version",
  "place",
);

/** A whole saved problem. */
export const SAVED_PROBLEM: Shape = object(
  {
    apiVersion: oneOf("plimsoll.dev/v1alpha1"),
    kind: oneOf("Problem"),
    namespace: text,
    options: OPTIONS,
    requests: list(REQUEST),
    unapproved: list(REQUEST),
    installed: list(INSTALLED),
    elsewhere: list(INSTALLED),
    node: object({ properties: list(PROPERTY) }),
    runtime: object({
      entries: list(object({ property: PROPERTY, place: PLACE, number: integer }, "property")),
      problems: list(FINDING),
    }),
    targets: complete({ all: boolean, names: list(text) }),
    removed: list(text),
    gone: list(INSTALLED),
    orphans: list(text),
    definitions: list(DEFINITION),
    inUse: list(complete({ group: text, kind: text, count: integer })),
    installPlans: integer,
    unavailable: list(object({ name: text, namespace: text, priority: integer, reason: text }, "name")),
    notGiven: list(object({ name: text, namespace: text }, "name")),
    catalogs: list(CATALOG),
  },
  "apiVersion",
  "kind",
  "namespace",
);
