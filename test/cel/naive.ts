// What is the value of an expression, computed as plainly as one can?
//
// A second evaluator for tests: it walks the structure, has no static types, no plans and no costs, and keeps every value
// with its type beside it, ints as bigints. It shares the parser with the engine and nothing else.
import type { Node } from "../../src/cel/ast.ts";
import { Double as EngineDouble, Uint as EngineUint } from "../../src/cel/value/number.ts";

/** A value with its type; maps are lists of entries. */
export type Naive =
  | { readonly type: "null" }
  | { readonly type: "bool"; readonly is: boolean }
  | { readonly type: "int" | "uint"; readonly is: bigint }
  | { readonly type: "double"; readonly is: number }
  | { readonly type: "string"; readonly is: string }
  | { readonly type: "list"; readonly is: readonly Naive[] }
  | { readonly type: "map"; readonly is: readonly (readonly [Naive, Naive])[] }
  | { readonly type: "optional"; readonly is: Naive | undefined };

/** An evaluation error; here it may be thrown, because `&&`, `||` and the macros catch it. */
class Failure extends Error {}

function fail(why: string): never {
  throw new Failure(why);
}

type Scope = ReadonlyMap<string, () => Naive>;

/** The value, or undefined for an error. */
export function naiveValue(node: Node, variables: Readonly<Record<string, unknown>>): Naive | undefined {
  const scope: Scope = new Map(Object.entries(variables).map(([name, json]) => [name, () => fromJson(json)]));
  try {
    return evaluate(node, scope);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

function fromJson(json: unknown): Naive {
  if (json === null) return { type: "null" };
  if (typeof json === "boolean") return { type: "bool", is: json };
  if (typeof json === "string") return { type: "string", is: json };
  if (typeof json === "number")
    return Number.isSafeInteger(json) ? { type: "int", is: BigInt(json) } : { type: "double", is: json };
  if (Array.isArray(json)) return { type: "list", is: json.map(fromJson) };
  const keys = Object.keys(json as object).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return {
    type: "map",
    is: keys.map((key) => [{ type: "string", is: key }, fromJson((json as Record<string, unknown>)[key])]),
  };
}

function fromLiteral(value: unknown): Naive {
  if (value instanceof EngineUint) return { type: "uint", is: value.value };
  if (value instanceof EngineDouble) return { type: "double", is: value.value };
  if (typeof value === "bigint") return { type: "int", is: value };
  return fromJson(value);
}

function evaluate(node: Node, scope: Scope): Naive {
  switch (node.kind) {
    case "literal":
      return fromLiteral(node.value);
    case "identifier":
      return (scope.get(node.name) ?? (() => fail("unknown name")))();
    case "select": {
      const operand = evaluate(node.operand, scope);
      const inner = operand.type === "optional" ? operand.is : operand;
      if (inner?.type === "list") fail("a list has no fields");
      const found = inner?.type === "map" ? entry(inner, { type: "string", is: node.field }) : undefined;
      if (node.test) return { type: "bool", is: found !== undefined };
      if (node.optional || operand.type === "optional") return { type: "optional", is: found };
      return found ?? fail("no such key");
    }
    case "list":
      return { type: "list", is: node.elements.map(({ value }) => evaluate(value, scope)) };
    case "map": {
      const entries: (readonly [Naive, Naive])[] = [];
      for (const { key, value } of node.entries) {
        const at = evaluate(key, scope);
        if (at.type === "double" || entries.some(([other]) => equal(at, other))) fail("bad key");
        entries.push([at, evaluate(value, scope)]);
      }
      return { type: "map", is: entries };
    }
    case "bind": {
      let known: Naive | undefined;
      const value = (): Naive => {
        known ??= evaluate(node.value, scope);
        return known;
      };
      return evaluate(node.body, new Map([...scope, [node.variable, value]]));
    }
    case "fold":
      return fold(node, scope);
    case "call":
      return call(node, scope);
    default:
      return fail(`not part of the generated expressions: ${node.kind}`);
  }
}

function entry(map: Naive & { type: "map" }, key: Naive): Naive | undefined {
  return map.is.find(([candidate]) => equal(candidate, key))?.[1];
}

function truth(node: Node, scope: Scope): boolean {
  const value = evaluate(node, scope);
  return value.type === "bool" ? value.is : fail("not a bool");
}

/** Some element decides; else the first error; else none decided. */
function decided(tests: readonly (() => boolean)[], decisive: boolean): boolean {
  let failure: unknown;
  for (const test of tests) {
    try {
      if (test() === decisive) return decisive;
    } catch (thrown) {
      failure ??= thrown;
    }
  }
  if (failure !== undefined) throw failure;
  return !decisive;
}

function fold(node: Node & { kind: "fold" }, scope: Scope): Naive {
  const range = evaluate(node.range, scope);
  const elements =
    range.type === "list" ? range.is : range.type === "map" ? range.is.map(([key]) => key) : fail("no range");
  const inner = elements.map((element): Scope => new Map([...scope, [node.variable, () => element]]));
  const tests = inner.map((scope) => () => truth(node.predicate as Node, scope));
  switch (node.fold) {
    case "all":
      return { type: "bool", is: decided(tests, false) };
    case "exists":
      return { type: "bool", is: decided(tests, true) };
    case "existsOne":
      return { type: "bool", is: tests.map((test) => test()).filter((is) => is).length === 1 };
    case "filter":
      return { type: "list", is: elements.filter((_, index) => (tests[index] as () => boolean)()) };
    case "map": {
      const kept = inner.filter((_, index) => node.predicate === undefined || (tests[index] as () => boolean)());
      return { type: "list", is: kept.map((scope) => evaluate(node.transform as Node, scope)) };
    }
    default:
      return fail("not part of the generated expressions");
  }
}

/** Equality across the kinds of numbers. */
export function equal(a: Naive, b: Naive): boolean {
  if (isNumber(a) && isNumber(b)) return order(a, b) === 0;
  if (a.type === "optional" && b.type === "optional")
    return a.is === undefined || b.is === undefined ? a.is === b.is : equal(a.is, b.is);
  if (a.type === "list" && b.type === "list")
    return a.is.length === b.is.length && a.is.every((element, index) => equal(element, b.is[index] as Naive));
  if (a.type === "map" && b.type === "map") {
    return (
      a.is.length === b.is.length &&
      a.is.every(([key, value]) => {
        const other = entry(b, key);
        return other !== undefined && equal(value, other);
      })
    );
  }
  return a.type === b.type && (a.type === "null" || (a as { is: unknown }).is === (b as { is: unknown }).is);
}

function isNumber(value: Naive): value is Naive & { type: "int" | "uint" | "double" } {
  return value.type === "int" || value.type === "uint" || value.type === "double";
}

const LEAST = -(2n ** 63n);
const MAX_COUNT = 2n ** 63n - 1n;

function int(value: bigint): Naive {
  return value < LEAST || value > MAX_COUNT ? fail("overflow") : { type: "int", is: value };
}

const INTEGERS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "_+_": (a, b) => a + b,
  "_-_": (a, b) => a - b,
  "_*_": (a, b) => a * b,
  "_/_": (a, b) => (b === 0n ? fail("division by zero") : a / b),
  // The least int has no remainder for -1, because it has no quotient (cel-go).
  "_%_": (a, b) => {
    if (b === 0n) return fail("division by zero");
    return a === LEAST && b === -1n ? fail("overflow") : a % b;
  },
};

const DOUBLES: Readonly<Record<string, (a: number, b: number) => number>> = {
  "_+_": (a, b) => a + b,
  "_-_": (a, b) => a - b,
  "_*_": (a, b) => a * b,
  "_/_": (a, b) => a / b,
};

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  "_<_": (order) => order < 0,
  "_<=_": (order) => order <= 0,
  "_>_": (order) => order > 0,
  "_>=_": (order) => order >= 0,
};

function call(node: Node & { kind: "call" }, scope: Scope): Naive {
  const terms = node.args;
  if (node.name === "_&&_")
    return {
      type: "bool",
      is: decided(
        terms.map((term) => () => truth(term, scope)),
        false,
      ),
    };
  if (node.name === "_||_")
    return {
      type: "bool",
      is: decided(
        terms.map((term) => () => truth(term, scope)),
        true,
      ),
    };
  if (node.name === "_?_:_")
    return evaluate(truth(terms[0] as Node, scope) ? (terms[1] as Node) : (terms[2] as Node), scope);
  const args = (node.target === undefined ? terms : [node.target, ...terms]).map((arg) => () => evaluate(arg, scope));
  if (node.name === "orValue") {
    const optional = (args[0] as () => Naive)();
    return optional.type === "optional" ? (optional.is ?? (args[1] as () => Naive)()) : fail("no optional");
  }
  return applied(
    node.name,
    args.map((arg) => arg()),
  );
}

function applied(name: string, args: readonly Naive[]): Naive {
  const [a, b] = args as [Naive, Naive];
  if (name === "_==_") return { type: "bool", is: equal(a, b) };
  if (name === "_!=_") return { type: "bool", is: !equal(a, b) };
  if (name === "@in") {
    if (b.type === "list") return { type: "bool", is: b.is.some((element) => equal(a, element)) };
    return b.type === "map" ? { type: "bool", is: entry(b, a) !== undefined } : fail("no container");
  }
  if (name === "_[_]") {
    if (a.type === "list")
      return (isNumber(b) && Number(b.is) >= 0 ? a.is[Number(b.is)] : undefined) ?? fail("no element");
    return (a.type === "map" ? entry(a, b) : undefined) ?? fail("no element");
  }
  if (name === "!_") return a.type === "bool" ? { type: "bool", is: !a.is } : fail("no bool");
  if (name === "-_")
    return a.type === "int" ? int(-a.is) : a.type === "double" ? { type: "double", is: -a.is } : fail("no number");
  if (name in ORDERS) return { type: "bool", is: (ORDERS[name] as (order: number) => boolean)(order(a, b)) };
  if (name in INTEGERS && a.type === "int" && b.type === "int")
    return int((INTEGERS[name] as (a: bigint, b: bigint) => bigint)(a.is, b.is));
  if (name in DOUBLES && a.type === "double" && b.type === "double")
    return { type: "double", is: (DOUBLES[name] as (a: number, b: number) => number)(a.is, b.is) };
  if (name === "_+_" && a.type === "string" && b.type === "string") return { type: "string", is: a.is + b.is };
  if (name === "_+_" && a.type === "list" && b.type === "list") return { type: "list", is: [...a.is, ...b.is] };
  if (name === "size")
    return int(
      BigInt(
        a.type === "string" ? [...a.is].length : a.type === "list" || a.type === "map" ? a.is.length : fail("no size"),
      ),
    );
  if (a.type === "string" && b?.type === "string") {
    if (name === "contains") return { type: "bool", is: a.is.includes(b.is) };
    if (name === "startsWith") return { type: "bool", is: a.is.startsWith(b.is) };
    if (name === "endsWith") return { type: "bool", is: a.is.endsWith(b.is) };
  }
  if (name === "dyn") return a;
  if (name === "string" && (a.type === "int" || a.type === "string" || a.type === "bool"))
    return { type: "string", is: String(a.is) };
  if (name === "int" && a.type === "string")
    return /^[+-]?\d+$/.test(a.is) ? int(BigInt(a.is.replace("+", ""))) : fail("no int");
  return fail("no such overload");
}

function order(a: Naive, b: Naive): number {
  if (isNumber(a) && isNumber(b)) {
    // Beside a double an integer is taken as a double.
    const [x, y] = a.type === "double" || b.type === "double" ? [Number(a.is), Number(b.is)] : [a.is, b.is];
    return x < y ? -1 : x > y ? 1 : x <= y ? 0 : Number.NaN;
  }
  if (a.type === "bool" && b.type === "bool") return Number(a.is) - Number(b.is);
  if (a.type !== "string" || b.type !== "string") return fail("no order");
  return Buffer.compare(Buffer.from(a.is), Buffer.from(b.is));
}
