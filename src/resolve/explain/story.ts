// How is the reason of an explanation told, and what is said beneath it? Plain data; the words are in render/sentence/.

/** How a reason is told. */
export type Story =
  /** Sentences that were made already, a line for each. */
  { readonly kind: "text"; readonly text: string };

/** Something that is said beneath a reason, on a line of its own. */
export type Note =
  /** Which of several requests go without, where not all can be served. */
  | { readonly kind: "priority" }
  /** A sentence that was made already. */
  | { readonly kind: "text"; readonly text: string };
