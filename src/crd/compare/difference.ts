// What can differ between two schemas?

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SchemaCode } from "../rule.ts";

/** One difference at one field. */
export interface SchemaDifference {
  readonly code: SchemaCode;
  /** The field, as people write it: `.spec.replicas`, `.spec.ports[*].name`, `.spec.labels[*]`; `.` is the object itself. */
  readonly path: string;
  /** The keyword, below the root of the schema: of the new one if it has it, otherwise of the old one. */
  readonly at: Path;
  /** The keyword stands in the old schema only. */
  readonly gone: boolean;
  /**
   * Whether objects that were fine may no longer be, or lose something (`tighter`), or only the other way round (`looser`),
   * or it cannot be said (`different`), or nothing changes for any object (`none`).
   */
  readonly effect: "tighter" | "looser" | "different" | "none";
  /** OLM v1 does not look for it. */
  readonly unseenByOlm?: true;
  /** What was there and what is there now; missing where there is nothing. */
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
  /** One sentence without a full stop, with the values: `"dog" can no longer be chosen`. */
  readonly message: string;
}
