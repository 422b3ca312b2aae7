// How much input is too much? Everything that comes from outside is bounded here, before any other code sees it.

export interface Limits {
  /** The longest document, in bytes of UTF-8 (a `List` may be longer: its items count singly). */
  readonly maxDocumentBytes: number;
  /** How deep objects and lists may nest. */
  readonly maxDepth: number;
  /** How many values a document may have once its YAML aliases are followed. */
  readonly maxValues: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxDocumentBytes: 64 * 1024 * 1024,
  maxDepth: 512,
  maxValues: 10_000_000,
};

/** The largest `maxDocumentBytes`: JavaScript can hold no longer text. */
export const MAX_DOCUMENT_BYTES: number = 500 * 1024 * 1024;

/** How many findings about one input are kept; the rest is only counted. */
export const MAX_FINDINGS = 100;

/** A size as a person would say it. */
export function printBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Number((bytes / 1024 / 1024).toFixed(1))} MiB`;
  if (bytes >= 1024) return `${Number((bytes / 1024).toFixed(1))} KiB`;
  return `${bytes} bytes`;
}
