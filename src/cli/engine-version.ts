// Which version of plimsoll is this? The build writes it here.

declare const PLIMSOLL_VERSION: string;

/** The version of plimsoll. */
export function engineVersion(): string {
  return PLIMSOLL_VERSION;
}
