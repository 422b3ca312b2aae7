// May a bundle change what the cluster has of a custom kind?

import type { OperatorRef } from "../model/operator-ref.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** What speaks against a change of a CustomResourceDefinition. */
export interface CrdUpgradeDetail {
  readonly rule: "crd-upgrade";
  /** The name of the definition. */
  readonly crd: string;
  /** The installed bundle from which the definition was assumed, where it was not given. */
  readonly assumedFrom?: OperatorRef | undefined;
  /** The first of them. */
  readonly objections: readonly CrdObjection[];
  /** How many more there are. */
  readonly more: number;
}

/** One thing that is wrong with a change. */
export interface CrdObjection {
  /** Under which it is explained in docs/crd.md. */
  readonly code: string;
  readonly message: string;
  /** What writing every object again would lose. */
  readonly loses?: string | undefined;
}

/** What can be done on the cluster before a change. */
export type CrdRemedy =
  /** Every object is written again, so that none is stored in the version; before that, what would be lost is moved. */
  | { readonly kind: "rewrite"; readonly crd: string; readonly version: string; readonly loses: string }
  /** A version of the package in between still has the version but does not serve it. */
  | {
      readonly kind: "update-first";
      readonly to: { readonly package: string; readonly version: string };
      readonly version: string;
    }
  /** An operator requires or owns the version. */
  | { readonly kind: "update-user"; readonly user: string; readonly needs: "require" | "own"; readonly version: string }
  | {
      readonly kind: "change-object";
      readonly plural: string;
      readonly namespace?: string | undefined;
      readonly name: string;
    }
  /** With the objects of the kind it may be less serious. */
  | { readonly kind: "give-objects"; readonly crd: string };

/**
 * What a bundle makes of the CustomResourceDefinitions of the cluster loses and breaks nothing (seed 004; docs/crd.md):
 * `¬bundle`.
 */
export const crdUpgrade: UnaryRule = {
  name: "crd-upgrade",
  bindsRunning: false,
  refusal: (alone) => {
    const detail = alone.crdUpgrade();
    return detail && { detail };
  },
};
