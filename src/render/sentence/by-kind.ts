// How is each member of a union put into words? By a table with one entry for each `kind`.

type Tagged = { readonly kind: string };

/** The members of a union that have the kind. */
type OfKind<Union extends Tagged, Kind> = Union extends Tagged ? (Kind extends Union["kind"] ? Union : never) : never;

/** What makes a sentence of each member. */
type ByKind<Union extends Tagged> = { readonly [Kind in Union["kind"]]: (value: OfKind<Union, Kind>) => string };

export type SentenceOf<Union> = (value: Union) => string;

/** The sentence function of a union, from those of its kinds. */
export function byKind<Union extends Tagged>(table: ByKind<Union>): SentenceOf<Union> {
  return (value) => (table[value.kind as Union["kind"]] as SentenceOf<Union>)(value);
}
