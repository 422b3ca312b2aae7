// Where do we answer otherwise than cel-go, and why?

interface Question {
  readonly expression: string;
  readonly section: string;
  readonly kubernetesCost?: string;
  readonly disableCheck?: boolean;
  readonly costLimit?: number;
}

/** Rows of the table whose answer is another than ours, with the reason. A row that is listed and equal fails the test. */
export const DIFFERENCES: readonly { readonly matches: (row: Question) => boolean; readonly reason: string }[] = [];
