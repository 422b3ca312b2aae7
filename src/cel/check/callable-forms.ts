// Which overloads of a function can a call in this form mean?
import { getOrAdd } from "../../model/grouped.ts";
import type { Overload } from "../library.ts";
import { type Type, withParts } from "../type.ts";

/** The overloads of one name with one form and number of arguments. */
export interface Callable {
  readonly overloads: readonly Overload[];
  /** The names of type parameters of each overload. */
  readonly parameters: readonly (readonly string[])[];
}

/** What was found for the overloads of a name, by form. */
const known = new WeakMap<readonly Overload[], (Callable | undefined)[]>();

/** Those of the overloads that are called like this, with so many arguments (the receiver is one). */
export function callableForms(named: readonly Overload[], member: boolean, count: number): Callable {
  const forms = getOrAdd(known, named, () => []);
  const form = 2 * count + (member ? 1 : 0);
  forms[form] ??= select(named, member, count);
  return forms[form];
}

function select(named: readonly Overload[], member: boolean, count: number): Callable {
  const overloads = named.filter((overload) => overload.member === member && overload.parameters.length === count);
  return { overloads, parameters: overloads.map(typeParametersOf) };
}

function typeParametersOf({ parameters, result }: Overload): readonly string[] {
  const names = new Set<string>();
  const collect = (type: Type): Type => {
    if (type.kind === "parameter") names.add(type.name);
    return withParts(type, collect);
  };
  for (const type of [...parameters, result]) collect(type);
  return [...names];
}
