// What can differ between two schemas? Plain data: the sentences are in render/sentence/schema-change.ts.

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SchemaCode } from "../finding-codes.ts";
import type { Listing } from "./value-text.ts";

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
export type SchemaChange = Readonly<
  | { kind: "size"; keyword: SizeKeyword; now: string; was?: string | undefined }
  /** `relaxed`: the bound itself is no longer excluded, or the bound is gone. */
  | {
      kind: "bound";
      keyword: "minimum" | "maximum";
      become: "narrower" | "exclusive" | "relaxed";
      now?: NumberBound | undefined;
      was?: NumberBound | undefined;
    }
  /** A keyword with one value. `isLooser`: values that were allowed still are. */
  | {
      kind: "type" | "multipleOf" | "default" | "format" | "pattern" | "rule" | "not" | "map-type";
      isLooser?: boolean | undefined;
      now?: string | undefined;
      was?: string | undefined;
    }
  /** The root is declared to be an object, as every custom resource is. */
  | { kind: "object-type" }
  | { kind: "required"; default?: string | undefined }
  /** `kept`: what becomes of values that are there; not there where they are dropped. */
  | { kind: "field-removed"; kept?: "as-other-key" | "unchecked" | undefined }
  | { kind: "items"; become: "undescribed" | "kept" }
  | { kind: "items"; become: "described"; now: string }
  | {
      kind: "other-keys";
      become: "refused" | "not-refused" | "dropped" | "unchecked" | "emptied" | "allowed" | "any-value";
    }
  | { kind: "other-keys"; become: "checked" | "allowed-as"; values: string }
  | {
      kind: "branches";
      keyword: "allOf" | "anyOf" | "oneOf";
      become: "new" | "gone" | "changed";
      added: Listing;
      removed: Listing;
    }
  | { kind: "flag"; field: "preserveUnknownFields" | "embeddedResource" | "uniqueItems"; isOn: boolean }
  | { kind: "nullable"; become: "refused" | "allowed" | "kept-beside-enum" }
  | { kind: "enum"; become: "new"; now: Listing }
  | { kind: "enum"; become: "gone"; was: Listing }
  | { kind: "enum"; become: "narrower"; removed: Listing; now: Listing }
  /** `keys` of a list that becomes a map. */
  | { kind: "list-type"; now: string; was: string; keys?: Listing | undefined }
  | { kind: "list-keys"; now: Listing; was: Listing }
  /** A keyword of which no meaning is known. */
  | { kind: "keyword"; keyword: string; now?: string | undefined; was?: string | undefined }
  /** A new field, where unknown fields were kept so far; `must` is missing where its schema allows anything. */
  | { kind: "new-field"; must?: FieldSchema | undefined }
  /** A new field, where other keys with such values were allowed so far; without `was`, with any. */
  | { kind: "new-field"; must: FieldSchema; wasOtherKey: true; was?: string | undefined }
>;

/** What the schema of a field asks for: all of it where that is short, otherwise its type. */
export type FieldSchema =
  | { readonly schema: string }
  | { readonly type: string /** What the schema does not name is dropped. */; readonly isPruned: boolean };
