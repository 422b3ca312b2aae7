// What is an object found to be under a schema?

import type { JsonObject } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { FaultDetail, UndecidedReason } from "./fault.ts";

/** One thing that is wrong with an object. */
export interface ObjectFault {
  /** The way to the value. */
  readonly path: Path;
  /** The keyword that it does not keep: `type`, `required`, `x-kubernetes-validations`… */
  readonly keyword: string;
  readonly detail: FaultDetail;
  /** The place of the keyword below the root of the schema. */
  readonly at: Path;
}

/** What became of an object that the API server reads from its store, or takes from a client. */
export interface Verdict {
  /** The object as it would be served: without fields that are dropped, with defaults. The object given, if nothing changes. */
  readonly object: JsonObject;
  /** The fields that were dropped, each with the way to it; the outermost only. */
  readonly dropped: readonly Path[];
  /** What is wrong, up to the limit; empty if it is valid. */
  readonly faults: readonly ObjectFault[];
  /** Why it was not checked to its end: a limit was hit. */
  readonly undecided: UndecidedReason | undefined;
}

/** How an object is validated. */
export interface ValidationOptions {
  /** What it was before, for rules about changes; nothing for an object that is new, or just there. */
  readonly old?: JsonObject | undefined;
  /** No more faults than this are looked for. */
  readonly mostFaults?: number | undefined;
}

/** A schema, ready to validate objects. */
export interface Validator {
  validate(object: JsonObject, options?: ValidationOptions): Verdict;
}
