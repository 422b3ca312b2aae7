// Which fields does a saved problem have? Their meaning is documented in src/model/problem.ts.

import { RULES } from "../model/finding.ts";
import { REQUIREMENT_FAULTS } from "../model/selector.ts";
import {
  anything,
  boolean,
  complete,
  each,
  integer,
  integerOrText,
  list,
  map,
  object,
  objectWith,
  oneOf,
  type Shape,
  text,
} from "./shape.ts";

const PLACE_FIELDS = {
  source: text,
  ...each(integer, "line", "column", "offset"),
  path: list(integerOrText),
  ...each(boolean, "ofKey", "exact"),
};
const PLACE: Shape = objectWith(["source", "line", "column"], {
  ...PLACE_FIELDS,
  elsewhere: map(objectWith(["source", "line", "column"], PLACE_FIELDS)),
});

const FINDING: Shape = objectWith(["code", "severity", "message", "place"], {
  code: oneOf(...Object.keys(RULES)),
  severity: oneOf("error", "warning", "info"),
  ...each(text, "message", "help", "catalog", "package", "channel", "bundle"),
  place: PLACE,
  dropped: oneOf("file", "cluster", "kind", "document", "package", "channel", "bundle", "deprecation"),
});

const PROPERTY: Shape = objectWith(["type"], { type: text, value: anything });

const INSTALLED: Shape = objectWith(["name", "properties", "installModes"], {
  ...each(text, "namespace", "name", "package", "version", "minKubeVersion"),
  properties: list(PROPERTY),
  installModes: list(complete({ type: text, supported: boolean })),
  owned: list(text),
  hold: objectWith(["by", "text"], { by: oneOf("condition", "flag"), text, package: text }),
  place: PLACE,
});

const CATALOG_NAME: Shape = objectWith(["name"], { name: text, namespace: text });

const EXTENSION: Shape = objectWith(["channels", "policy", "crdUpgradeSafety"], {
  ...each(list(text), "channels", "catalogs"),
  versions: text,
  policy: oneOf("CatalogProvided", "SelfCertified"),
  crdUpgradeSafety: oneOf("Strict", "None"),
  malformed: objectWith(["field"], {
    field: oneOf("version", "selector", "upgradeConstraintPolicy"),
    ...each(text, "text", "reason"),
    fault: complete({ kind: oneOf(...REQUIREMENT_FAULTS), operator: text }),
  }),
});

const REQUEST: Shape = objectWith(["id", "name", "priority", "package", "approval"], {
  ...each(text, "id", "name", "package", "channel", "range", "startingCSV", "installed"),
  priority: integer,
  catalog: CATALOG_NAME,
  approval: oneOf("Automatic", "Manual"),
  isGenerated: boolean,
  extension: EXTENSION,
  place: PLACE,
});

const OPTIONS: Shape = object({
  ...each(boolean, "compat", "olmv1", "compoundConstraints", "allOrNothing", "installOptional", "ignoreUnavailable"),
  ...each(integer, "maxConflicts", "celCostLimit", "maxConstraintBytes", "maxConstraintDepth"),
  compoundScope: oneOf("solution", "bundle"),
  crdSeverities: map(oneOf("error", "warning", "info", "off")),
});

const CATALOG: Shape = objectWith(["name", "priority", "documents"], {
  name: text,
  namespace: text,
  priority: integer,
  findings: list(FINDING),
  dropped: object({ packages: integer, channels: integer, bundles: integer }),
  documents: list(complete({ place: PLACE, document: map(anything) })),
});

const DEFINITION: Shape = objectWith(["definition", "version", "place"], {
  definition: map(anything),
  version: text,
  storedVersions: list(text),
  place: PLACE,
  objects: list(complete({ object: map(anything), apiVersion: text, kind: text, place: PLACE })),
  isPartial: boolean,
  assumedFrom: text,
});

/** A whole saved problem. */
export const SAVED_PROBLEM: Shape = objectWith(["apiVersion", "kind"], {
  apiVersion: oneOf("plimsoll.dev/v1alpha1"),
  kind: oneOf("Problem"),
  namespace: text,
  scope: oneOf("cluster"),
  options: OPTIONS,
  requests: list(REQUEST),
  unapproved: list(REQUEST),
  installed: list(INSTALLED),
  elsewhere: list(INSTALLED),
  node: object({ properties: list(PROPERTY) }),
  runtime: object({
    entries: list(objectWith(["property"], { property: PROPERTY, place: PLACE, number: integer })),
    problems: list(FINDING),
  }),
  targets: complete({ all: boolean, names: list(text) }),
  removed: list(text),
  gone: list(INSTALLED),
  orphans: list(text),
  definitions: list(DEFINITION),
  inUse: list(complete({ group: text, kind: text, count: integer })),
  installPlans: integer,
  unavailable: list(objectWith(["name"], { name: text, namespace: text, priority: integer, reason: text })),
  notGiven: list(CATALOG_NAME),
  areCatalogsUnread: boolean,
  catalogs: list(CATALOG),
});
