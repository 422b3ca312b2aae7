// How are findings handed to a program that shows them beside the lines of a file? What all such programs need of a
// finding, whoever found it.

import type { Severity } from "../../model/finding.ts";

/** Something to be said about a place in a file. */
export interface Annotation {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly help: string | undefined;
  readonly source: string;
  /** From 1; 0 where the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** The thing that it is about, where that has a name of its own beside its place. */
  readonly subject?: string | undefined;
}

/** What is said of the findings of one code in general. */
export interface AnnotationRule {
  readonly name: string;
  readonly severity: Severity;
  readonly meaning: string;
  readonly why?: string | undefined;
}
