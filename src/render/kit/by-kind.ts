// How is a tagged union printed? By a table with one function for each of its kinds.

/** The members of a union that have a tag. */
type Tagged<Union, Tag extends string, Value> = Union extends { readonly [Name in Tag]: infer Own }
  ? Value extends Own
    ? Union
    : never
  : never;

/** A function for each kind of a union; further arguments are handed on. */
type Table<
  Union extends { readonly [Name in Tag]: string },
  Tag extends string,
  More extends readonly unknown[],
  Result,
> = {
  readonly [Value in Union[Tag]]: (value: Tagged<Union, Tag, Value>, ...more: More) => Result;
};

/** The function for all kinds of a union discriminated by `kind`. */
export function byKind<Union extends { readonly kind: string }, More extends readonly unknown[], Result>(
  table: Table<Union, "kind", More, Result>,
): (value: Union, ...more: More) => Result {
  return byTag("kind", table);
}

/** The function for all members of a union discriminated by another field. */
export function byTag<
  Tag extends string,
  Union extends { readonly [Name in Tag]: string },
  More extends readonly unknown[],
  Result,
>(tag: Tag, table: Table<Union, Tag, More, Result>): (value: Union, ...more: More) => Result {
  return (value, ...more) => (table[value[tag]] as (one: Union, ...rest: More) => Result)(value, ...more);
}
