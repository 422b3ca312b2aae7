// What can differ between two schemas? Plain data: the sentences are in render/sentence/schema-change.ts.

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SchemaCode } from "../rule.ts";
import type { Listing } from "./shown.ts";

/** One difference at one field. */
export interface SchemaDifference {
  readonly code: SchemaCode;
  /** The field as a path: `.spec.replicas`, `.spec.ports[*].name`, `.spec.labels[*]`; `.` is the object itself. */
  readonly path: string;
  /** The keyword, below the root of the schema: of the new one if it has it, otherwise of the old one. */
  readonly at: Path;
  /** Only the old schema has the keyword. */
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
  readonly detail: SchemaChange;
}

/** Keywords that bound how many characters, items or keys there may be. */
export type SizeKeyword = "minLength" | "minItems" | "minProperties" | "maxLength" | "maxItems" | "maxProperties";

/** A bound of a number, with all its digits. */
export interface NumberBound {
  readonly value: string;
  readonly isExclusive: boolean;
}

/** What changed, with the values as a sentence shows them (shown.ts); a value that is not there is left out. */
export type SchemaChange =
  | { readonly kind: "size"; readonly keyword: SizeKeyword; readonly now: string; readonly was?: string | undefined }
  | {
      readonly kind: "bound";
      readonly keyword: "minimum" | "maximum";
      /** `relaxed`: the bound itself is no longer excluded, or the bound is gone. */
      readonly become: "narrower" | "exclusive" | "relaxed";
      readonly now?: NumberBound | undefined;
      readonly was?: NumberBound | undefined;
    }
  /** A keyword with one value. `isLooser`: values that were allowed still are. */
  | {
      readonly kind: "type" | "multipleOf" | "default" | "format" | "pattern" | "rule" | "not" | "map-type";
      readonly isLooser?: boolean | undefined;
      readonly now?: string | undefined;
      readonly was?: string | undefined;
    }
  /** The root is declared to be an object, as every custom resource is. */
  | { readonly kind: "object-type" }
  | { readonly kind: "required"; readonly default?: string | undefined }
  /** `kept`: what becomes of values that are there; not there where they are dropped. */
  | { readonly kind: "field-removed"; readonly kept?: "as-other-key" | "unchecked" | undefined }
  | { readonly kind: "items"; readonly become: "undescribed" | "kept" }
  | { readonly kind: "items"; readonly become: "described"; readonly now: string }
  | {
      readonly kind: "other-keys";
      readonly become: "refused" | "not-refused" | "dropped" | "unchecked" | "emptied" | "allowed" | "any-value";
    }
  | { readonly kind: "other-keys"; readonly become: "checked" | "allowed-as"; readonly values: string }
  | {
      readonly kind: "branches";
      readonly keyword: "allOf" | "anyOf" | "oneOf";
      readonly become: "new" | "gone" | "changed";
      readonly added: Listing;
      readonly removed: Listing;
    }
  | {
      readonly kind: "flag";
      readonly field: "preserveUnknownFields" | "embeddedResource" | "uniqueItems";
      readonly isOn: boolean;
    }
  | { readonly kind: "nullable"; readonly become: "refused" | "allowed" | "kept-beside-enum" }
  | { readonly kind: "enum"; readonly become: "new"; readonly now: Listing }
  | { readonly kind: "enum"; readonly become: "gone"; readonly was: Listing }
  | { readonly kind: "enum"; readonly become: "narrower"; readonly removed: Listing; readonly now: Listing }
  | {
      readonly kind: "list-type";
      readonly now: string;
      readonly was: string;
      /** The keys of a list that becomes a map. */
      readonly keys?: Listing | undefined;
    }
  | { readonly kind: "list-keys"; readonly now: Listing; readonly was: Listing }
  /** A keyword of which no meaning is known. */
  | {
      readonly kind: "keyword";
      readonly keyword: string;
      readonly now?: string | undefined;
      readonly was?: string | undefined;
    }
  /** A new field, where unknown fields were kept so far; `must` is missing where its schema allows anything. */
  | { readonly kind: "new-field"; readonly must?: FieldSchema | undefined }
  /** A new field, where other keys with such values were allowed so far; without `was`, with any. */
  | {
      readonly kind: "new-field";
      readonly must: FieldSchema;
      readonly wasOtherKey: true;
      readonly was?: string | undefined;
    };

/** What the schema of a field asks for: all of it where that is short, otherwise its type. */
export type FieldSchema =
  | { readonly schema: string }
  | { readonly type: string /** What the schema does not name is dropped. */; readonly isPruned: boolean };
