// Which types do the parts of an expression have, and is every name and call in it known?
import { didYouMean } from "../../text/did-you-mean.ts";
import { type Call, isBinary, type MessageLiteral, type Node, operatorChain } from "../ast.ts";
import { candidateNames, type Environment } from "../environment.ts";
import type { IssueList } from "../issue.ts";
import { BOOL, DYN, ERROR, INT, listOf, mapOf, optionalOf, printType, shaped, type Type } from "../type.ts";
import { typeOfValue } from "../value/type-of-value.ts";
import type { Range } from "../value/value.ts";
import { checkCall } from "./check-call.ts";
import { checkName, checkSelect } from "./check-name.ts";
import type { Checked, Reference } from "./checked.ts";
import { PartArray } from "./per-part.ts";
import { isBroken, isOpen, mostGeneral, TypeVariables, unwrapped } from "./type-variables.ts";

/** Finds the types; mistakes are added to `errors`, doubts to `warnings`. Without errors to add to, types decide nothing. */
export function check(
  root: Node,
  environment: Environment,
  errors: IssueList | undefined,
  warnings: IssueList,
): Checked {
  const checker = new Checker(root, environment, errors, warnings);
  checker.check(root);
  return checker.checked();
}

/** A variable of a macro. */
interface Local {
  readonly type: Type;
  readonly slot: number;
}

/**
 * The variables of macros, the innermost last. Each has a slot of its own in the frame: the value of a binding is computed
 * at its first use, and must not overwrite the variables in use there.
 */
class Scope {
  readonly #locals: { readonly name: string; readonly local: Local }[] = [];
  /** The number of slots. */
  slotCount = 0;

  /** Adds a variable; consecutive variables have consecutive slots. */
  enter(name: string, type: Type): number {
    const slot = this.slotCount++;
    this.#locals.push({ name, local: { type, slot } });
    return slot;
  }

  /** Removes the innermost variables. */
  leave(count: number): void {
    this.#locals.length -= count;
  }

  /** The innermost variable of this name. */
  find(name: string): Local | undefined {
    return this.#locals.findLast((entry) => entry.name === name)?.local;
  }

  /** The names, for suggestions. */
  names(): readonly string[] {
    return this.#locals.map(({ name }) => name).filter((name) => !name.startsWith("@"));
  }
}

/** What is known while an expression is checked. */
export class Checker {
  readonly #root: Node;
  readonly environment: Environment;
  readonly errors: IssueList | undefined;
  readonly warnings: IssueList;
  readonly variables: TypeVariables = new TypeVariables();
  readonly scope: Scope = new Scope();
  readonly #types: PartArray<Type>;
  readonly #references: PartArray<Reference>;
  readonly #slots: PartArray<number>;

  constructor(root: Node, environment: Environment, errors: IssueList | undefined, warnings: IssueList) {
    this.#root = root;
    this.#types = new PartArray(root);
    this.#references = new PartArray(root);
    this.#slots = new PartArray(root);
    this.environment = environment;
    this.errors = errors;
    this.warnings = warnings;
  }

  checked(): Checked {
    const typeOf = (node: Node): Type | undefined => {
      const type = this.#types.get(node);
      return type === undefined ? undefined : this.variables.substitute(type, true);
    };
    return {
      root: this.#root,
      type: typeOf(this.#root) as Type,
      // Completed when they are asked for, because few uses need them.
      types: { get: typeOf },
      references: this.#references,
      slots: this.#slots,
      slotCount: this.scope.slotCount,
    };
  }

  /** Finds the type of a part, and remembers it. */
  check(node: Node): Type {
    const type = this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  /** Remembers what a name or a call means. */
  refer(node: Node, reference: Reference): void {
    this.#references.set(node, reference);
  }

  /** The type of a part that was checked before, with what has been learned since. */
  known(node: Node): Type {
    return this.variables.substitute(this.#types.get(node) ?? ERROR, false);
  }

  mistake(at: Range, message: string, hint?: string, meant?: string): Type {
    this.errors?.add(at, message, hint, meant);
    return ERROR;
  }

  /** A mistake about types; where one of them is broken already, that was reported where it broke. */
  typeMistake(at: Range, types: readonly Type[], message: string, hint?: string): Type {
    return types.some(isBroken) ? ERROR : this.mistake(at, message, hint);
  }

  /** A mistake about the type of a part; the message ends with the type. */
  wrongType(at: Range, type: Type, message: string, hint?: string): Type {
    return this.typeMistake(at, [type], `${message} ${printType(type)}`, hint);
  }

  /** Reports a part whose type, known if it is not given, is not the required one. */
  demand(node: Node, wanted: Type, what: string, type: Type = this.known(node)): void {
    if (this.variables.assignable([type], [wanted])) return;
    this.wrongType(node, this.variables.substitute(type, true), `${what} must be ${printType(wanted)} and is`);
  }

  #typeOf(node: Node): Type {
    switch (node.kind) {
      case "literal":
        return typeOfValue(node.value);
      case "identifier":
        return checkName(this, node);
      case "select":
        return checkSelect(this, node);
      case "call":
        return isBinary(node) ? this.#chain(node) : checkCall(this, node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "message":
        return checkMessage(this, node);
      case "fold":
        return this.#fold(node);
      case "bind": {
        // The value of a binding is outside of its own scope.
        const slot = this.scope.enter(node.variable, this.check(node.value));
        this.#slots.set(node, slot);
        const type = this.check(node.body);
        this.scope.leave(1);
        return type;
      }
      case "optional-map":
        return this.#optionalMap(node);
    }
  }

  /** Long chains of operators are checked from the innermost on, in a loop. */
  #chain(node: Call): Type {
    const chain = operatorChain(node);
    this.check((chain[0] as Call).args[0] as Node);
    let type: Type = ERROR;
    for (const link of chain) {
      this.check(link.args[1] as Node);
      type = checkCall(this, link, true);
      this.#types.set(link, type);
    }
    return type;
  }

  #list(node: Node & { kind: "list" }): Type {
    let element: Type | undefined;
    for (const { value, optional } of node.elements) element = this.#join(element, this.#content(value, optional));
    return listOf(element ?? this.variables.fresh());
  }

  #map(node: Node & { kind: "map" }): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of node.entries) {
      const keyType = this.check(entry.key);
      if (!KEY_KINDS.has(this.known(entry.key).kind))
        this.wrongType(entry.key, keyType, "a key of a map must be a string, int, uint or bool and is");
      key = this.#join(key, keyType);
      value = this.#join(value, this.#content(entry.value, entry.optional));
    }
    return mapOf(key ?? this.variables.fresh(), value ?? this.variables.fresh());
  }

  /** The type that an element brings to its list or map: of an optional element what is in the optional. */
  #content(node: Node, optional: boolean): Type {
    const type = this.check(node);
    if (!optional) return type;
    const inner = unwrapped(this.known(node));
    if (!inner.optional && !isOpen(inner.type))
      this.wrongType(
        node,
        inner.type,
        "an element with ? must be an optional and is",
        "remove the ?, or write optional.of(…)",
      );
    return inner.type;
  }

  /** The type of elements of both types; dyn when they do not agree. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (!this.variables.assignable([previous], [current])) return DYN;
    return mostGeneral(this.variables.substitute(previous, false), this.variables.substitute(current, false));
  }

  #fold(node: Node & { kind: "fold" }): Type {
    const range = this.check(node.range) && this.known(node.range);
    const [first, second] = this.#elementTypes(node, range);
    const slot = this.scope.enter(node.variable, first);
    this.#slots.set(node, slot);
    if (node.second !== undefined) this.scope.enter(node.second, second);
    if (node.predicate !== undefined) {
      this.check(node.predicate);
      this.demand(node.predicate, BOOL, `the condition of ${macroName(node)}()`);
    }
    const transformed = node.transform === undefined ? undefined : this.check(node.transform);
    this.scope.leave(node.second === undefined ? 1 : 2);
    switch (node.fold) {
      case "filter":
        return listOf(first);
      case "map":
      case "transformList":
        return listOf(transformed as Type);
      case "transformMap":
        return mapOf(range.kind === "list" ? INT : first, transformed as Type);
      case "transformMapEntry": {
        const entry = this.known(node.transform as Node);
        if (entry.kind === "map") return entry;
        if (!isOpen(entry))
          this.wrongType(node.transform as Node, entry, "transformMapEntry() needs a map with one entry and got");
        return mapOf(DYN, DYN);
      }
      default:
        return BOOL;
    }
  }

  /** The types of a fold's variables. */
  #elementTypes(node: Node & { kind: "fold" }, range: Type): readonly [Type, Type] {
    const two = node.second !== undefined;
    const elements = range.shape?.elements;
    switch (range.kind) {
      case "list":
        return two ? [INT, shaped(range.element, elements)] : [shaped(range.element, elements), ERROR];
      case "map":
        return [range.key, shaped(range.value, elements)];
      case "dyn":
      case "error":
      case "parameter":
        this.variables.assignable([DYN], [range]);
        return two ? [DYN, shaped(DYN, elements)] : [shaped(DYN, elements), ERROR];
      default: {
        const message = `${macroName(node)}() goes through a list or a map, not through`;
        this.wrongType(node.range, this.variables.substitute(range, true), message);
        return [ERROR, ERROR];
      }
    }
  }

  #optionalMap(node: Node & { kind: "optional-map" }): Type {
    this.check(node.target);
    const target = unwrapped(this.known(node.target));
    const name = node.flat ? "optFlatMap" : "optMap";
    if (!target.optional && !isOpen(target.type))
      this.wrongType(node.target, target.type, `${name}() needs an optional and got`);
    const slot = this.scope.enter(node.variable, target.optional ? target.type : DYN);
    this.#slots.set(node, slot);
    const body = this.check(node.body);
    this.scope.leave(1);
    if (!node.flat) return optionalOf(body);
    const inner = unwrapped(this.known(node.body));
    if (inner.optional) return optionalOf(inner.type);
    if (isOpen(inner.type)) return inner.type;
    const message = "optFlatMap() needs an optional in its second argument and got";
    return this.wrongType(node.body, inner.type, message, "use optMap() for a plain value");
  }
}

/** The type of `Name{field: value}`. */
function checkMessage(checker: Checker, node: MessageLiteral): Type {
  for (const field of node.fields) checker.check(field.value);
  const { container, messages } = checker.environment;
  const message = candidateNames(container, node.name)
    .map((name) => messages.get(name))
    .find((found) => found !== undefined);
  if (message === undefined) {
    return checker.mistake(
      node,
      `no such message type \`${node.name}\``,
      "other messages than those of google.protobuf are not supported; write a map: {'field': value}",
    );
  }
  for (const field of node.fields) {
    const wanted = message.fields.get(field.name);
    if (wanted === undefined) {
      const meant = didYouMean(field.name, message.fields.keys());
      const hint = meant === undefined ? undefined : `did you mean \`${meant}\`?`;
      checker.mistake(field.at, `${message.name} has no field \`${field.name}\``, hint);
      continue;
    }
    const type = field.optional ? unwrapped(checker.known(field.value)).type : checker.known(field.value);
    checker.demand(field.value, wanted, `the field ${field.name}`, type);
  }
  checker.refer(node, { kind: "message", message });
  return message.result;
}

/** How a fold's macro is written. */
export function macroName(node: Node & { kind: "fold" }): string {
  return node.fold === "existsOne" ? "exists_one" : node.fold;
}

/** The kinds of types whose values can be keys of a map. */
const KEY_KINDS: ReadonlySet<string> = new Set("string bool int uint dyn error parameter wrapper".split(" "));
