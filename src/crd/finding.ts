// What was found about the change of a CustomResourceDefinition? Plain data: render/sentence/crd.ts has the sentences.

import type { Severity } from "../model/finding.ts";
import type { Place } from "../model/place.ts";
import type { RuleFaultDetail } from "./cel-rules/check-rules.ts";
import type { SchemaChange, SchemaDifference } from "./compare/difference.ts";
import type { CrdCode, SchemaCode } from "./finding-codes.ts";
import type { SchemaFault, SchemaFaultDetail } from "./schema/schema.ts";
import type { FaultDetail, UndecidedReason } from "./validate/fault.ts";

/** One finding. What its rule says in general is in rule.ts; here is what is particular. */
export type CrdFinding = CrdStatement & {
  readonly severity: Severity;
  /** The name of the definition: `<plural>.<group>`. */
  readonly crd: string;
  readonly old?: QuotedValue | undefined;
  readonly new?: QuotedValue | undefined;
  /** In the new CRD, or in the old one where the new one has nothing; or in the object. */
  readonly place: Place;
};

/** The part of a finding that its sentences are made from. */
export type CrdStatement = StatementOf<CrdCode>;

/** That part of a finding. */
export function statementOf(finding: CrdFinding): CrdStatement {
  const { severity: _, crd: __, old: ___, new: ____, place: _____, ...statement } = finding;
  return statement;
}

/** Details that only the advice and the severity of a finding use, not its message. */
const ADVICE_ONLY: Readonly<Partial<Record<CrdCode, readonly string[]>>> = {
  CRD001: ["versions"],
  CRD002: ["isListed"],
  CRD003: ["served"],
  CRD004: ["served"],
  CRD101: ["kind", "crd", "storage", "left"],
  CRD103: ["served"],
  CRD106: ["served"],
  CRD107: ["plural"],
  CRD108: ["kind", "isKept"],
  CRD115: ["crd"],
  CRD116: ["served"],
  CRD118: ["storage"],
  CRD119: ["kind", "crd", "isMoved"],
  CRD301: ["isRequired"],
  CRD302: ["isStored"],
  CRD304: ["served"],
};

/** Of differences between schemas. */
const SCHEMA_ADVICE_ONLY = ["effect", "isNew"];

/** Equal for statements with the same message. What only their advice uses may differ. */
export function messageKey({ isStuck: _, ...statement }: CrdStatement): string {
  const detail: Record<string, unknown> = { ...statement.detail };
  const { code } = statement;
  for (const key of ADVICE_ONLY[code] ?? (code.startsWith("CRD2") ? SCHEMA_ADVICE_ONLY : [])) delete detail[key];
  return JSON.stringify({ ...statement, detail });
}

/** A statement of some codes. */
export type StatementOf<Codes extends CrdCode> = {
  readonly [Code in Codes]: CrdSubject & { readonly code: Code; readonly detail: CrdDetails[Code] };
}[Codes];

/** What a finding is about. */
export interface CrdSubject {
  /** The version; `v1 -> v2` where two differ that are served, or stored; empty if it is about the whole. */
  readonly version: string;
  /** The field of objects, such as `.spec.replicas`; empty if it is about none. */
  readonly path: string;
  /** The operator that requires the version, or works with it, as it was given; and the other namespace that it runs in. */
  readonly user?: string | undefined;
  readonly userIn?: string | undefined;
  /** The object that is concerned. */
  readonly object?: { readonly namespace?: string | undefined; readonly name: string } | undefined;
  /** Of an object: no change of it before the upgrade would help, because the old CRD would drop it. */
  readonly isStuck?: true | undefined;
  /** This is the first finding beyond a limit; the number of findings left out. */
  readonly more?: number | undefined;
}

/** A value of a definition, as JSON text with all digits; `cut` where it is too large to be shown as a whole. */
export type QuotedValue = { readonly json: string } | { readonly cut: string };

/** Of a version that an operator needs: gone with its definition, gone, not served, or no longer served. */
export type LostVersion = "definition-removed" | "removed" | "not-served" | "no-longer-served";

/** What a sentence about a finding needs in addition to its subject. */
export interface CrdDetails extends Record<SchemaCode, SchemaDetail> {
  /** The versions with `storage: true`, and all. */
  readonly CRD001: { readonly storage: readonly string[]; readonly versions: readonly string[] };
  /** `isListed`: spec.version is one of spec.versions. */
  readonly CRD002: { readonly first: string; readonly isListed: boolean };
  /** Without `versions`, the bundle has no definition of the kind, which would have the name `crd`. */
  readonly CRD003: OwnedDetail &
    (
      | { readonly versions: readonly string[]; readonly served: readonly string[] }
      | { readonly versions?: undefined; readonly crd: string }
    );
  readonly CRD004: OwnedDetail & { readonly served: readonly string[] };
  readonly CRD005: NoDetail;
  readonly CRD006: NoDetail;
  readonly CRD007:
    | MistakeDetail<{ readonly category: SchemaFault["kind"] } & SchemaFaultDetail>
    | { readonly kind: "neighbours"; readonly served: number };
  readonly CRD008: MistakeDetail<SchemaFaultDetail>;
  readonly CRD009: MistakeDetail<RuleFaultDetail>;
  readonly CRD010: MistakeDetail<RuleFaultDetail>;
  /** `isRecorded` in status.storedVersions; the new `storage` version; the versions that may be `left` there. */
  readonly CRD101: KindDetail & {
    readonly isRecorded: boolean;
    readonly storage?: string | undefined;
    readonly left: readonly string[];
  };
  readonly CRD102: { readonly compat: boolean };
  /** `served` by the new CRD. */
  readonly CRD103: KindDetail & { readonly lost: LostVersion; readonly served: readonly string[] };
  readonly CRD104: { readonly from: string; readonly to: string };
  readonly CRD105: { readonly part: "group" | "kind" | "plural"; readonly from: string; readonly to: string };
  readonly CRD106: KindDetail & { readonly lost: LostVersion; readonly served: readonly string[] };
  readonly CRD107: { readonly crd: string; readonly plural: string; readonly owners: readonly string[] };
  /** `isKept`: the new CRD has the old storage version. */
  readonly CRD108: { readonly from: string; readonly kind: string; readonly isKept: boolean };
  readonly CRD109: NoDetail;
  readonly CRD110: NoDetail;
  readonly CRD111: NoDetail;
  readonly CRD112: { readonly subresource: string };
  /** `isAny`: any field below the path. */
  readonly CRD113: {
    readonly storage: string;
    readonly fields: readonly { readonly path: string; readonly isAny: boolean }[];
    readonly moreFields: number;
  };
  readonly CRD114:
    | { readonly subresource: "status" }
    | Readonly<{ subresource: "scale"; key: string; from?: string | undefined; to?: string | undefined }>;
  readonly CRD115: { readonly crd: string };
  readonly CRD116: { readonly served: readonly string[] };
  readonly CRD117: NoDetail;
  readonly CRD118: { readonly kind: string; readonly storage?: string | undefined };
  /** `isMoved`: the new CRD stores objects in another version than the old one. */
  readonly CRD119: KindDetail & { readonly storage: string; readonly isMoved: boolean };
  /** `isRequired`: the field of the path is missing. */
  readonly CRD301: ObjectDetail & FaultsDetail & { readonly isRequired: boolean };
  /** `isStored`: the object is stored in the version from now on. */
  readonly CRD302: ObjectDetail & Readonly<{ fields: readonly string[]; moreFields: number; isStored: boolean }>;
  readonly CRD303: ObjectDetail & FaultsDetail;
  readonly CRD304: ObjectDetail &
    (
      | { readonly kind: "limit"; readonly reason: UndecidedReason }
      | { readonly kind: "unknown-version"; readonly versions: readonly string[] }
      /** A webhook converts it, and the version is not in the new CRD (`isRemoved`), or not served before and after. */
      | { readonly kind: "no-version"; readonly isRemoved: boolean; readonly served: readonly string[] }
    );
}

type NoDetail = Readonly<Record<string, never>>;

/** The kind, and the name of its old definition. */
interface KindDetail {
  readonly kind: string;
  readonly crd: string;
}

/** The ClusterServiceVersion that owns a version of the kind. */
interface OwnedDetail {
  readonly by: string;
  readonly kind: string;
}

/** A part of a schema, or a rule, that cannot be used. */
type MistakeDetail<Fault> = {
  readonly kind: "mistake";
  readonly fault: Fault;
  /** It is about a field, not about the whole schema. */
  readonly hasField: boolean;
  /** It was not read before either, and is not the same any more. */
  readonly isChanged?: true | undefined;
};

interface ObjectDetail {
  readonly plural: string;
}

/** The first faults of an object, and how many more there are. */
interface FaultsDetail {
  readonly faults: readonly { readonly field: string; readonly detail: FaultDetail }[];
  readonly moreFaults: number;
}

/** A difference of schemas, or one of the whole definition. */
export type SchemaDetail =
  | {
      readonly kind: "difference";
      readonly change: SchemaChange;
      readonly effect: SchemaDifference["effect"];
      /** The keyword was not there before. */
      readonly isNew: boolean;
      /** Not there: within a version. Otherwise from an older version to a newer one, both served; or from the one in
       * which objects were stored to the one in which they will be `stored`, or can only be `read`. */
      readonly between?: VersionPair | undefined;
    }
  /** Fields that no schema names are kept from now on, or no longer. */
  | { readonly kind: "unknown-fields"; readonly areKept: boolean }
  /** A version has a schema for the first time, or no longer; `areKept`: unknown fields are not dropped. */
  | { readonly kind: "schema"; readonly isNew: boolean; readonly areKept: boolean }
  | { readonly kind: "first-schema"; readonly areKept: boolean; readonly between: VersionPair }
  | { readonly kind: "not-selectable" }
  /** A field of the spec or of a version of which no meaning is known. */
  | { readonly kind: "field"; readonly field: string; readonly become: "new" | "gone" | "changed" };

export interface VersionPair {
  readonly from: string;
  readonly to: string;
  readonly because: "served" | "stored" | "read";
  /** What objects have is dropped, rather than refused. */
  readonly isDropped?: boolean | undefined;
}
