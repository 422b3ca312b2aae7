// Which of two versions of an API is the newer one? Kubernetes' order (apimachinery v0.36, CompareKubeAwareVersionStrings).

import { compareText } from "../model/json.ts";

const STAGES = ["alpha", "beta", ""];
/** What Go's int holds: a version with a larger number is not a Kubernetes version. */
const MAX_COUNT = 2n ** 63n - 1n;

/**
 * Older before newer: v1alpha1, v2alpha1, v1beta1, v1, v2. Other names come before all of them, those
 * later in the alphabet first.
 */
export function compareVersionNames(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  if (left === undefined || right === undefined)
    return left === right ? compareText(b, a) : left === undefined ? -1 : 1;
  return left.stage - right.stage || compareWhole(left.major, right.major) || compareWhole(left.minor, right.minor);
}

interface Parts {
  readonly stage: number;
  readonly major: bigint;
  readonly minor: bigint;
}

function partsOf(name: string): Parts | undefined {
  const found = /^v(\d{1,19})(?:(alpha|beta)(\d{1,19}))?$/.exec(name);
  if (found === null) return undefined;
  const [, major = "", stage = "", minor = "0"] = found;
  const parts = { stage: STAGES.indexOf(stage), major: BigInt(major), minor: BigInt(minor) };
  return parts.major > MAX_COUNT || parts.minor > MAX_COUNT ? undefined : parts;
}

function compareWhole(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
