// What was found about the upgrade of a CustomResourceDefinition?

import type { Severity } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import type { CrdCode } from "./rule.ts";

/** One finding. The general words of its rule are in rule.ts; here is what is particular. */
export interface CrdFinding {
  readonly code: CrdCode;
  readonly severity: Severity;
  /** The name of the definition: `<plural>.<group>`. */
  readonly crd: string;
  /** The version it is about; `v1 -> v2` where two differ that are served, or stored; empty where it is about the whole. */
  readonly version: string;
  /** The field of objects it is about, such as `.spec.replicas`; empty where it is about none. */
  readonly path: string;
  /** What is wrong, in one sentence without a full stop, with the values. */
  readonly message: string;
  /** Why it matters here, where that is not what the rule says in general. */
  readonly why?: string | undefined;
  /** What to do about it. */
  readonly help: string;
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
  /** Who requires the version, or works with it, as it was given. */
  readonly user?: string | undefined;
  /** The object that is concerned. */
  readonly object?: { readonly namespace: string | undefined; readonly name: string } | undefined;
  /** Of an object: nothing that is done to it before the upgrade would help, because the old CRD would drop it. */
  readonly isStuck?: true | undefined;
  /** Where it stands: in the new CRD, or in the old one where the new one has nothing; or in the object. */
  readonly place: Place;
}
