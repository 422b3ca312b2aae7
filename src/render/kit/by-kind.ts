// How is a tagged union printed? By a table with one function for each of its kinds.

/** The members of a union that have a kind. */
type OfKind<Union, Kind> = Union extends { readonly kind: infer Own } ? (Kind extends Own ? Union : never) : never;

/** A function for each kind of a union; further arguments are handed on. */
type Table<Union extends { readonly kind: string }, More extends readonly unknown[], Result> = {
  readonly [Kind in Union["kind"]]: (value: OfKind<Union, Kind>, ...more: More) => Result;
};

/** The function for all kinds of a union. */
export function byKind<Union extends { readonly kind: string }, More extends readonly unknown[], Result>(
  table: Table<Union, More, Result>,
): (value: Union, ...more: More) => Result {
  return (value, ...more) =>
    (table[value.kind as Union["kind"]] as (one: Union, ...rest: More) => Result)(value, ...more);
}
