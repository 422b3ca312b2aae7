// How much input is too much? All external input is bounded here, before any other code sees it.

export interface Limits {
  /** Maximum document size in bytes of UTF-8 (a `List` may be longer: its items count separately). */
  readonly maxDocumentBytes: number;
  /** Maximum nesting depth of objects and lists. */
  readonly maxDepth: number;
  /** Maximum number of values of a document after YAML aliases are expanded. */
  readonly maxValues: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxDocumentBytes: 64 * 1024 * 1024,
  maxDepth: 512,
  maxValues: 10_000_000,
};

/** The largest `maxDocumentBytes`: JavaScript strings cannot be longer. */
export const MAX_DOCUMENT_BYTES: number = 500 * 1024 * 1024;

/** Number of findings about one input that are kept; the rest is counted. */
export const MAX_FINDINGS = 100;

/** A size for display. */
export function printBytes(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${Number((bytes / 1024 ** 3).toFixed(1))} GiB`;
  if (bytes >= 1024 * 1024) return `${Number((bytes / 1024 / 1024).toFixed(1))} MiB`;
  if (bytes >= 1024) return `${Number((bytes / 1024).toFixed(1))} KiB`;
  return `${bytes} bytes`;
}
