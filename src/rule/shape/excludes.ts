// Whom do members keep away? What rules about several say when members are counted by numbers.

/** The members that these keep away, whichever of them is there. */
export type Excludes = (present: readonly number[]) => readonly number[];
