// Can a bundle change the CRDs of the cluster as it would?

import { type CrdStatement, messageKey } from "../crd/finding.ts";
import type { Loss } from "../crd/rewrite-loss.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** Objections to a change of a CustomResourceDefinition. */
export interface CrdUpgradeDetail {
  readonly rule: "crd-upgrade";
  /** The name of the definition. */
  readonly crd: string;
  /** The installed bundle from which the definition was assumed, if it was not given. */
  readonly assumedFrom?: OperatorRef | undefined;
  /** The first of them. */
  readonly objections: readonly CrdObjection[];
  /** The number of further ones. */
  readonly more: number;
}

/** One objection to a change. */
export interface CrdObjection {
  /** Its code is explained in docs/crd.md. */
  readonly finding: CrdStatement;
  /** What rewriting every object would lose. */
  readonly loses?: Loss | undefined;
}

/** Equal for refusals that read the same. */
export function crdUpgradeKey({ crd, assumedFrom, objections, more }: CrdUpgradeDetail): string {
  const messages = objections.map(({ finding, loses }) => [messageKey(finding), loses]);
  return JSON.stringify([crd, assumedFrom, messages, more]);
}

/** What can be done on the cluster before a change. */
export type CrdRemedy =
  /**
   * Every object is rewritten, so that none is stored in the version; before that, data that would be lost is moved.
   */
  | { readonly kind: "rewrite"; readonly crd: string; readonly version: string; readonly loses: Loss }
  /** An intermediate version of the package still has the version but does not serve it. */
  | {
      readonly kind: "update-first";
      readonly to: { readonly package: string; readonly version: string };
      readonly version: string;
    }
  /** An operator requires or owns the version. */
  | {
      readonly kind: "update-user";
      readonly user: string;
      readonly userIn?: string | undefined;
      readonly needs: "require" | "own";
      readonly version: string;
    }
  | {
      readonly kind: "change-object";
      readonly plural: string;
      readonly namespace?: string | undefined;
      readonly name: string;
    }
  /** With the objects of the kind the finding may be less severe. */
  | { readonly kind: "give-objects"; readonly crd: string };

/**
 * The changes of a bundle to the CustomResourceDefinitions of the cluster lose and break nothing (seed 004;
 * docs/crd.md): `¬bundle`.
 */
export const crdUpgrade: UnaryRule = {
  name: "crd-upgrade",
  bindsRunning: false,
  refusal: (alone) => {
    const detail = alone.crdUpgrade();
    return detail && { detail };
  },
};
