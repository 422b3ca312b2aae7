// How are findings passed to programs that show them beside the lines of a file? The data that all such programs need, for
// every kind of finding.

import type { Severity } from "../../model/finding.ts";

/** A message about a place in a file. */
export interface Annotation {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly help: string | undefined;
  readonly source: string;
  /** From 1; 0 where the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** The name of the object that it is about, if it has one in addition to its place. */
  readonly subject?: string | undefined;
}

export interface AnnotationRule {
  readonly name: string;
  readonly severity: Severity;
  readonly meaning: string;
  readonly why?: string | undefined;
}
