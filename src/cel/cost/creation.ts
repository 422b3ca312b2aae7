// What does it cost to make a container? The same whatever its size, as in cel-go.

/** A list. */
export const LIST_COST = 10;
/** A map. */
export const MAP_COST = 30;
/** A message. */
export const MESSAGE_COST = 40;
