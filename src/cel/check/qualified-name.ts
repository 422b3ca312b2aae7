// Can a path be one declared name with dots: `math.abs`, `google.protobuf.Timestamp`?
import { type Node, qualifiedName } from "../ast.ts";
import type { Environment } from "../environment.ts";

/** What stands before the first dot of declared names, by environment. */
const firstParts = new WeakMap<Environment, ReadonlySet<string>>();

function firstPartsOf({ variables, constants, functions, macros }: Environment): ReadonlySet<string> {
  const names = [...variables.keys(), ...constants.keys(), ...functions.keys()].filter((name) => name.includes("."));
  const namespaces = macros.flatMap(({ namespace }) => namespace ?? []);
  return new Set([...names, ...namespaces].map((name) => name.split(".")[0] as string));
}

/** The name with dots that the path spells, unless nothing declared can begin like it. */
export function declaredPath(environment: Environment, node: Node): string | undefined {
  let root = node;
  while (root.kind === "select" && !root.optional && !root.test) root = root.operand;
  if (root.kind !== "identifier") return undefined;
  // In a container, every name is the end of a name with dots.
  if (environment.container !== "") return qualifiedName(node);
  let declared = firstParts.get(environment);
  if (declared === undefined) {
    declared = firstPartsOf(environment);
    firstParts.set(environment, declared);
  }
  return declared.has(root.name) ? qualifiedName(node) : undefined;
}
