// How are numbers and texts from outside put into a sentence?

/** A whole number with its digits in threes: `10,000,000`. */
export function grouped(value: number | bigint): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const MAX_QUOTED_LENGTH = 200;

/** A text in quotation marks, cut where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length <= MAX_QUOTED_LENGTH ? text : `${text.slice(0, MAX_QUOTED_LENGTH)}…`);
}
