// How is an example of a rule written? Two short definitions, and how the finding reads.

import type { CrdCode } from "../../src/crd/finding-codes.ts";
import type { Circumstances } from "../../src/crd/upgrade/circumstances.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { spec, type WrittenDefinition } from "./winches.ts";

/** Examples of some rules. */
export type Examples<Prefix extends string> = Readonly<Record<Extract<CrdCode, `${Prefix}${string}`>, Example>>;

/** A change that a rule is about, and its message. */
export interface Example {
  readonly before?: WrittenDefinition | undefined;
  readonly after?: WrittenDefinition | undefined;
  readonly given?: Partial<Circumstances>;
  /** Where, what, and what to do. */
  readonly expected: readonly [at: string, message: string, help: string];
}

/** One version. */
export const V1: WrittenDefinition["versions"] = { v1: "served storage" };
/** Nothing changes. */
export const both: Pick<Example, "before" | "after"> = { before: { versions: V1 }, after: { versions: V1 } };
/** The schema of the only version changes. */
export const schemas = (before: JsonObject, after: JsonObject): Pick<Example, "before" | "after"> => ({
  before: { versions: { v1: { flags: "served storage", schema: before } }, source: "old.yaml" },
  after: { versions: { v1: { flags: "served storage", schema: after } } },
});
/** The field `.spec.brake` changes. */
export const fields = (before: JsonObject, after: JsonObject): Pick<Example, "before" | "after"> =>
  schemas(spec({ brake: before }), spec({ brake: after }));
/** The place of the schema. */
export const ROOT: string = "crd.yaml spec.versions[0].schema.openAPIV3Schema";
/** The place of the field. */
export const BRAKE: string = `${ROOT}.properties.spec.properties.brake`;
/** Its place in the old definition. */
export const OLD_BRAKE: string = BRAKE.replace("crd.yaml", "old.yaml");
