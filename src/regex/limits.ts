// How large may a pattern be?

/** The longest pattern, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 10_000;
/** The largest pattern when its repetitions are written out, in instructions. */
export const MAX_PATTERN_SIZE = 5_000;
/** The deepest nesting of groups, repetitions and alternatives: as in Go. */
export const MAX_HEIGHT = 1000;
/** How often a part may be repeated, counted together with the repetitions around it: as in RE2. */
export const MAX_COPIES = 1000;
