// The functions of src/crd with the messages of their findings, for tests that check the output.

import { checkUpgrade as check } from "../../src/crd/check-upgrade.ts";
import { compareSchemas as compare } from "../../src/crd/compare/compare-schemas.ts";
import type { SchemaDifference } from "../../src/crd/compare/difference.ts";
import type { CrdFinding, QuotedValue } from "../../src/crd/finding.ts";
import { validatorFor as validator } from "../../src/crd/validate/validator-for.ts";
import type { Json } from "../../src/model/json.ts";
import { valueJson } from "../../src/render/crd/shown.ts";
import { crdHelp, crdMessage, crdParticularWhy } from "../../src/render/sentence/crd.ts";
import { faultText, undecidedText } from "../../src/render/sentence/object-fault.ts";
import { schemaChangeText } from "../../src/render/sentence/schema-change.ts";

/** A finding with its sentences and its values. */
export interface FindingInWords extends Omit<CrdFinding, "old" | "new"> {
  readonly message: string;
  readonly help: string;
  readonly why?: string;
  readonly old?: Json;
  readonly new?: Json;
}

export function checkUpgrade(...given: Parameters<typeof check>): readonly FindingInWords[] {
  return check(...given).map(inWords);
}

export function inWords(finding: CrdFinding): FindingInWords {
  const { old, new: now, ...rest } = finding;
  const why = crdParticularWhy(finding);
  return {
    ...rest,
    message: crdMessage(finding),
    help: crdHelp(finding),
    ...(why !== undefined && { why }),
    ...shownValue("old", old),
    ...shownValue("new", now),
  };
}

function shownValue(key: "old" | "new", value: QuotedValue | undefined): Readonly<Record<string, Json>> {
  return value === undefined ? {} : { [key]: valueJson(value) };
}

export function compareSchemas(
  ...given: Parameters<typeof compare>
): readonly (SchemaDifference & { readonly message: string })[] {
  return compare(...given).map((difference) => ({ ...difference, message: schemaChangeText(difference.detail) }));
}

/** What `validate` of a validator returns, in words. */
export interface VerdictInWords
  extends Omit<ReturnType<ReturnType<typeof validator>["validate"]>, "faults" | "undecided"> {
  readonly faults: readonly {
    readonly path: readonly (string | number)[];
    readonly keyword: string;
    readonly message: string;
    readonly at: readonly (string | number)[];
  }[];
  readonly undecided: string | undefined;
}

export function validatorFor(...given: Parameters<typeof validator>): {
  validate(...object: Parameters<ReturnType<typeof validator>["validate"]>): VerdictInWords;
} {
  const made = validator(...given);
  return {
    validate(...object) {
      const { faults, undecided, ...rest } = made.validate(...object);
      return {
        ...rest,
        faults: faults.map(({ path, keyword, detail, at }) => ({ path, keyword, message: faultText(detail), at })),
        undecided: undecided && undecidedText(undecided),
      };
    },
  };
}
