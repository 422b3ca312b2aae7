// Which members do others exclude? The form of rules about several members when members are numbers.

/** The members that are excluded whichever of these is present. */
export type Excludes = (present: readonly number[]) => readonly number[];
