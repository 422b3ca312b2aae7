// How does a program declare a type for expressions: the objects of a class?
import { type OpaqueType, opaque, optionalContent, type Type } from "../type.ts";
import { type Border, fromJS } from "../value/from-js.ts";
import { type ClassType, Instance } from "../value/instance.ts";
import { CelError } from "../value/value.ts";
import { type CelFunction, celFunction } from "./cel-function.ts";
import { describeForeign, silence } from "./foreign.ts";
import { isTypeName, readType, type WrittenType } from "./type-text.ts";

/** What a type of a program is. */
export interface TypeOptions<T extends object> {
  /** How expressions call it: its last part begins with a capital letter, `Version` or `acme.Version`. */
  readonly name: string;
  /** The class whose objects are values of the type. */
  readonly class: abstract new (
    ...args: never[]
  ) => T;
  /** The properties that expressions can read, with their types. Nothing else of an object can be reached. */
  readonly fields?: Readonly<Record<string, string | Type>>;
  /** When two objects are equal. Default: when they are the same object. */
  readonly equals?: (a: T, b: T) => boolean;
  /** The text of an object, for messages and for `string(value)`. */
  readonly toString?: (value: T) => string;
}

/** A type of a program, for the option `types` of an environment. */
export class CelType {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** What a type consists of. */
export interface TypeDeclaration {
  readonly name: string;
  readonly prototype: object;
  readonly fields: ReadonlyMap<string, WrittenType>;
  readonly equals: ((a: never, b: never) => unknown) | undefined;
  readonly toText: ((value: never) => unknown) | undefined;
}

const declarations = new WeakMap<CelType, TypeDeclaration>();

/** What was declared by `celType`; undefined for anything else. */
export function typeDeclarationOf(declared: CelType): TypeDeclaration | undefined {
  return declarations.get(declared);
}

/**
 * Declares the objects of a class as values of a type. `type(v)`, `==` and the declared fields work on them; functions take
 * and return them. Throws a TypeError if the declaration cannot work.
 */
export function celType<T extends object>(options: TypeOptions<T>): CelType {
  const { name, class: declared, fields = {}, equals } = options;
  const fail = (why: string): never => {
    throw new TypeError(`the type ${JSON.stringify(name)}: ${why}`);
  };
  if (typeof name !== "string" || !isTypeName(name))
    fail("the last part of a type's name begins with a capital letter and has more than one letter, such as Version");
  if (typeof declared !== "function" || typeof declared.prototype !== "object") fail("class must be a class");
  if (declared.prototype === Object.prototype) fail("class must be a class of its own, not Object");
  if (equals !== undefined && typeof equals !== "function") fail("equals must be a function");
  if (Object.hasOwn(options, "toString") && options.toString !== undefined && typeof options.toString !== "function")
    fail("toString must be a function");
  const written = Object.entries(fields).map(([field, type]): [string, WrittenType] => [
    field,
    typeof type === "string"
      ? readType(type, `the type of the field ${field} of ${name}`)
      : { text: "", type, names: [] },
  ]);
  const made = new CelType(name);
  const toText = Object.hasOwn(options, "toString") ? options.toString : undefined;
  declarations.set(made, { name, prototype: declared.prototype, fields: new Map(written), equals, toText });
  return made;
}

/** The types of an environment: `typeOf` reads a type as the environment knows it. */
export function classTypes(
  types: readonly TypeDeclaration[],
  typeOf: (written: WrittenType, what: string, known: ReadonlyMap<string, OpaqueType>) => Type,
): {
  readonly classes: readonly ClassType[];
  readonly known: ReadonlyMap<string, OpaqueType>;
  readonly border: Border;
} {
  const made = types.map((type) => {
    const fields = new Map<string, Type>();
    return { type, fields, known: { ...(opaque(type.name) as OpaqueType), fields } };
  });
  const known = new Map(made.map(({ type, known }) => [type.name, known]));
  const byPrototype = new Map<object, ClassType>();
  const border: Border = {
    instanceOf: (object) => {
      for (let at: object | null = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at)) {
        const found = byPrototype.get(at);
        if (found !== undefined) return new Instance(found, object);
      }
      return undefined;
    },
  };
  const refuse = (what: unknown, wanted: Type): never => {
    throw new CelError(`is ${describeForeign(what, wanted)}`);
  };
  const strict: Border = { ...border, refuse };
  const classes = made.map(({ type, fields, known: own }): ClassType => {
    // Types may refer to each other.
    for (const [field, written] of type.fields)
      fields.set(field, typeOf(written, `the type of the field ${field} of ${type.name}`, known));
    const made: ClassType = {
      name: type.name,
      type: own,
      prototype: type.prototype,
      convert: (property, declared) =>
        property === undefined && optionalContent(declared) === undefined
          ? undefined
          : fromJS(property, declared, strict),
      ...(type.equals !== undefined && { equals: silenced(type.equals, "boolean") }),
      ...(type.toText !== undefined && { toText: silenced(type.toText, "string") }),
    };
    byPrototype.set(type.prototype, made);
    return made;
  });
  return { classes, known, border: types.length === 0 ? NO_CLASSES : border };
}

/** The function of a program. A promise that it returns instead of such a value is never awaited, and must do no harm. */
function silenced(
  implementation: (...args: never[]) => unknown,
  wanted: "boolean" | "string",
): (...args: object[]) => unknown {
  return (...args) => {
    const returned = implementation(...(args as never[]));
    if (typeof returned !== wanted) silence(returned);
    return returned;
  };
}

const NO_CLASSES: Border = { instanceOf: () => undefined };

/** `string(value)`, for types with a text. */
export function textFunctions(types: readonly TypeDeclaration[]): readonly CelFunction[] {
  return types.flatMap(({ name, toText }) =>
    toText === undefined ? [] : [celFunction(`string(${name}): string`, (value: never) => toText(value))],
  );
}
