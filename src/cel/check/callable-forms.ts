// Which overloads of a function can a call in this form mean, and with which types?
import type { Overload } from "../library.ts";
import { type Type, withParts } from "../type.ts";
import { MAX_KEPT, type TypeVariables, typeVariable } from "./type-variables.ts";

/** The types of an overload. */
type Signature = Pick<Overload, "parameters" | "result">;

/** The overloads of one name with one form and number of arguments. */
export interface Callable {
  readonly overloads: readonly Overload[];
  readonly signatures: readonly SignatureMaker[];
}

/** What was found for the overloads of a name, by form. */
const known = new WeakMap<readonly Overload[], (Callable | undefined)[]>();

/** Those of the overloads that are called like this, with so many arguments (the receiver is one). */
export function callableForms(named: readonly Overload[], member: boolean, count: number): Callable {
  let forms = known.get(named);
  if (forms === undefined) {
    forms = [];
    known.set(named, forms);
  }
  const form = 2 * count + (member ? 1 : 0);
  forms[form] ??= select(named, member, count);
  return forms[form];
}

function select(named: readonly Overload[], member: boolean, count: number): Callable {
  const overloads = named.filter((overload) => overload.member === member && overload.parameters.length === count);
  return { overloads, signatures: overloads.map((overload) => new SignatureMaker(overload)) };
}

/** Makes the types of an overload, with type parameters of their own for every call. */
export class SignatureMaker {
  readonly #overload: Overload;
  /** The names of its type parameters. */
  readonly #names: readonly string[];
  /** What was made, by the number of the first type variable in it. */
  readonly #made: Signature[] = [];

  constructor(overload: Overload) {
    this.#overload = overload;
    this.#names = typeParametersOf(overload);
  }

  signature(variables: TypeVariables): Signature {
    const names = this.#names;
    if (names.length === 0) return this.#overload;
    const first = variables.reserve(names.length);
    const made = this.#made[first] ?? this.#make(first);
    if (first < MAX_KEPT) this.#made[first] = made;
    return made;
  }

  #make(first: number): Signature {
    const { parameters, result } = this.#overload;
    const replace = (type: Type): Type =>
      type.kind === "parameter" ? typeVariable(first + this.#names.indexOf(type.name)) : withParts(type, replace);
    return { parameters: parameters.map(replace), result: replace(result) };
  }
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
