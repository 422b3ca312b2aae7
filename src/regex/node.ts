// What is a pattern made of?
import { type CharacterSet, unionOf } from "./character-set.ts";

/** A part of a pattern, with what its limits are checked by. */
export type Node = Part & {
  /** How many instructions it becomes, at most. */
  readonly size: number;
  /** How deeply its parts are nested. */
  readonly height: number;
  /** How often a part of it is written out, counting repetitions inside repetitions. */
  readonly copies: number;
  /** Can it match without reading? */
  readonly nullable: boolean;
};

type Part =
  | { readonly kind: "nothing" }
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "condition"; readonly condition: number }
  | { readonly kind: "group"; readonly number: number; readonly inner: Node }
  | { readonly kind: "repetition"; readonly inner: Node; readonly times: Times }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly parts: readonly Node[] };

/** How often something is repeated. */
export interface Times {
  readonly least: number;
  /** Infinity if there is no bound. */
  readonly most: number;
  /** Is fewer preferred to more? */
  readonly lazy: boolean;
}

export const NOTHING: Node = { kind: "nothing", size: 0, height: 1, copies: 1, nullable: true };

/** One character of a set. The size is more than one for sets that take time to make. */
export function character(set: CharacterSet, size = 1): Node {
  return { kind: "character", set, size, height: 1, copies: 1, nullable: false };
}

/** A place in the text, in the bits of program.ts. */
export function condition(bits: number): Node {
  return { kind: "condition", condition: bits, size: 1, height: 1, copies: 1, nullable: true };
}

export function group(number: number, inner: Node): Node {
  const { size, height, copies, nullable } = inner;
  return { kind: "group", number, inner, size: size + 2, height: height + 1, copies, nullable };
}

export function repetition(inner: Node, times: Times): Node {
  const { least, most } = times;
  const bounded = most !== Number.POSITIVE_INFINITY;
  const written = bounded ? most : Math.max(least, 1);
  return {
    kind: "repetition",
    inner,
    times,
    size: written * inner.size + (bounded ? most - least : 2),
    height: inner.height + 1,
    copies: Math.max(written, 1) * (most === 0 ? 1 : inner.copies),
    nullable: least === 0 || inner.nullable,
  };
}

export function sequence(parts: readonly Node[]): Node {
  if (parts.length < 2) return parts[0] ?? NOTHING;
  return {
    kind: "sequence",
    parts,
    size: sum(parts),
    height: isText(parts) ? 1 : 1 + most(parts, "height"),
    copies: most(parts, "copies"),
    nullable: parts.every((part) => part.nullable),
  };
}

/** Alternatives, preferred from left to right. */
export function choice(parts: readonly Node[]): Node {
  if (parts.length < 2) return parts[0] ?? NOTHING;
  const sets = parts.flatMap((part) => (part.kind === "character" ? [part.set] : []));
  if (sets.length === parts.length) return character(unionOf(sets), sum(parts));
  return {
    kind: "choice",
    parts,
    size: sum(parts) + parts.length - 1,
    height: 1 + most(parts, "height"),
    copies: most(parts, "copies"),
    nullable: parts.some((part) => part.nullable),
  };
}

/** Is it only characters in a row? To Go that is one part. */
function isText(parts: readonly Node[]): boolean {
  return parts.every((part) => part.kind === "character" && part.set.length === 2 && part.set[0] === part.set[1]);
}

function sum(parts: readonly Node[]): number {
  return parts.reduce((total, part) => total + part.size, 0);
}

function most(parts: readonly Node[], measure: "height" | "copies"): number {
  return parts.reduce((greatest, part) => Math.max(greatest, part[measure]), 1);
}
