// What is one test of a corpus: what it asks of the engine, what must come of it, and what it needs that we do not have?
import type { Overload } from "../../src/cel/library.ts";
import type { Type } from "../../src/cel/type.ts";
import type { Value } from "../../src/cel/value/value.ts";

/** The collections of tests that are run. */
export type Corpus = "official" | "types" | "checking" | "parsing" | "comprehension";

/** One test. */
export interface Case {
  readonly corpus: Corpus;
  /** The file of the official tests that it is from, or the corpus. */
  readonly section: string;
  /** `section/group/name`; unique over all corpora. */
  readonly key: string;
  readonly expression: string;
  readonly container: string;
  readonly variables: Readonly<Record<string, Type>>;
  readonly functions: readonly Overload[];
  readonly bindings: Readonly<Record<string, Value>>;
  /** Is it type-checked before it runs? */
  readonly check: boolean;
  readonly crossTypeComparisons: boolean;
  /** Does it write `cel.block`, which no environment but this one has? */
  readonly blocks: boolean;
  readonly expected: Expected;
  /** The protobuf messages and enums that it mentions and that no environment of ours has. */
  readonly needs: readonly Need[];
}

/** What must come of a test. */
export type Expected =
  /** It yields the value; it has the type, as `printType` writes it. Absent: any. */
  | { readonly kind: "result"; readonly value?: Value; readonly type?: string }
  /** It compiles, and its evaluation ends with an error (which cel-go words like this). */
  | { readonly kind: "error"; readonly message: string }
  /** It does not compile; the mistakes are at these places, as `line:column`. */
  | { readonly kind: "refused"; readonly at: readonly string[] }
  /** It has the syntax of an expression; more is not asked. */
  | { readonly kind: "parsed" };

/** A message or enum of protobuf, and where a test has it. */
export interface Need {
  readonly name: string;
  readonly where: "expression" | "binding" | "declaration" | "expected";
}
