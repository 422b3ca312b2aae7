// Is the text at the end of a path equal to a literal? Most predicates consist of this, so it has a fast path.
import type { Call, Node } from "../ast.ts";
import { costOfComparing, equalityCost } from "../cost/size.ts";
import { codePointCount } from "../value/text.ts";
import { Boxed, CelError, type JsonMap, type Result, type Value } from "../value/value.ts";
import { type FixedPath, fixedPath, readPath } from "./fixed-path.ts";
import type { Frame } from "./frame.ts";
import type { Planner } from "./planner.ts";

/** To compare a text of so many characters or fewer with another costs 1 at most, so that none need be counted. */
const FREE_SIZE = 10;

/** A literal that something is compared with. */
interface LiteralText {
  readonly text: string;
  /** Its code points. */
  readonly size: number;
  /** What it costs to compare it with itself. */
  readonly cost: number;
  /** Is `==` asked, not `!=`? */
  readonly same: boolean;
}

/** `path == "text"` or `path != "text"` */
export interface TextTest extends LiteralText {
  readonly path: FixedPath;
  /** The cost of reading the path if it exists. */
  readonly pathCost: number;
  /** The field, when the path is one field of a macro's variable. */
  readonly field: string | undefined;
  /** The slot of the macro's variable. */
  readonly slot: number;
}

/** The literal on the right side of a comparison, if there is one. */
export function literalText(node: Call): LiteralText | undefined {
  const right = node.args[1];
  if (right?.kind !== "literal" || typeof right.value !== "string") return undefined;
  const text = contiguous(right.value);
  const size = codePointCount(text);
  return { text, size, cost: costOfComparing(text, size), same: node.name === "_==_" };
}

/**
 * The same text, in memory of its own. A literal is a part of the expression's text, and as such slow to compare; names of
 * properties never are parts of other texts.
 */
function contiguous(text: string): string {
  return Object.keys({ [text]: true })[0] as string;
}

/** The test of a path. */
export function textTest(path: FixedPath, { text, size, cost, same }: LiteralText): TextTest {
  const oneField = path.slot >= 0 && path.start === undefined && path.keys.length === 1;
  return {
    text,
    size,
    cost,
    same,
    path,
    pathCost: path.keys.length + path.charge,
    field: oneField ? contiguous(path.keys[0] as string) : undefined,
    slot: path.slot,
  };
}

/** The test that a part of an expression is, if it is one. */
export function findTextTest(planner: Planner, node: Node): TextTest | undefined {
  if (node.kind !== "call" || (node.name !== "_==_" && node.name !== "_!=_")) return undefined;
  const literal = literalText(node);
  const path = literal === undefined ? undefined : fixedPath(planner, node.args[0] as Node);
  return literal === undefined || path === undefined ? undefined : textTest(path, literal);
}

/** The field's content. Where its name is written in the program, JavaScript finds it much faster: so the two most common are. */
function contentOf(object: JsonMap, field: string): Value | undefined {
  switch (field) {
    case "name":
      return object.name;
    case "type":
      return object.type;
    default:
      return object[field];
  }
}

/** Does it hold? */
export function decideText(frame: Frame, test: TextTest): Result {
  const { field } = test;
  if (field !== undefined) {
    const object = frame.slots[test.slot];
    if (typeof object === "object" && object !== null && !Array.isArray(object) && !(object instanceof Boxed)) {
      const content = contentOf(object as JsonMap, field);
      if (typeof content === "string") {
        const equal = content === test.text;
        frame.charge(test.pathCost + (equal ? test.cost : costOfComparing(content, test.size)));
        return equal === test.same;
      }
    }
  }
  return equalsText(frame, readPath(frame, test.path), test);
}

/**
 * Passes over the objects, from an index on, for which the test of their field gives `verdict`; each is charged for the
 * test and with `before`. Returns the index of the next object. Nothing is passed over if that is beyond the limit.
 */
export function passOver(
  frame: Frame,
  objects: readonly Value[],
  from: number,
  test: TextTest,
  verdict: boolean,
  before: number,
): number {
  const { text, same, size } = test;
  const field = test.field as string;
  const equal = verdict === same;
  // Characters are counted in a second pass: the first is short, and waits for the memory of many objects at once.
  const counting = !equal && size > FREE_SIZE;
  let cost = 0;
  let index = from;
  for (; index < objects.length; index++) {
    const object = objects[index] as Value;
    if (typeof object !== "object" || object === null || Array.isArray(object) || object instanceof Boxed) break;
    const content = contentOf(object as JsonMap, field);
    if (typeof content !== "string" || (content === text) !== equal) break;
    if (!counting) cost += equal ? test.cost : costOfComparing(content, size);
  }
  if (counting) {
    for (let at = from; at < index; at++)
      cost += costOfComparing(contentOf(objects[at] as JsonMap, field) as string, size);
  }
  const total = frame.cost + cost + (index - from) * (before + test.pathCost);
  if (!(total <= frame.costLimit)) return from;
  frame.cost = total;
  return index;
}

/** Is the value equal to the literal? */
export function equalsText(frame: Frame, value: Result, literal: LiteralText): Result {
  if (typeof value === "string") {
    const equal = value === literal.text;
    frame.charge(equal ? literal.cost : costOfComparing(value, literal.size));
    return equal === literal.same;
  }
  if (value instanceof CelError) {
    frame.charge(literal.size === 0 ? 0 : 1);
    return value;
  }
  frame.charge(equalityCost(value, literal.text, frame));
  return !literal.same;
}
