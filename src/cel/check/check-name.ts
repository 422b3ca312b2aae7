// Which variable, constant or field does a name mean?

import { didYouMean } from "../../text/did-you-mean.ts";
import type { Identifier, Node, Select } from "../ast.ts";
import { candidateNames } from "../environment.ts";
import { BOOL, DYN, optionalOf, printType, type Shape, shaped, type Type } from "../type.ts";
import type { Range } from "../value/value.ts";
import type { Checker } from "./check.ts";
import { declaredPath } from "./qualified-name.ts";
import { isOpen, unwrapped } from "./type-variables.ts";

/** The type of an unqualified name. */
export function checkName(checker: Checker, node: Identifier): Type {
  const local = node.absolute ? undefined : checker.scope.find(node.name);
  if (local !== undefined) {
    checker.refer(node, { kind: "local", slot: local.slot });
    return local.type;
  }
  const found = findName(checker, node, node.absolute ? `.${node.name}` : node.name);
  if (found !== undefined) return found;
  const { variables, constants, functions } = checker.environment;
  const known = [...checker.scope.names(), ...variables.keys(), ...constants.keys()];
  const meant = didYouMean(node.name, known);
  const hint =
    meant !== undefined
      ? `did you mean \`${meant}\`?`
      : functions.has(node.name)
        ? `\`${node.name}\` is a function; it needs parentheses`
        : variableHint([...variables.keys()]);
  checker.refer(node, { kind: "variable", name: node.name });
  return checker.mistake(node, `no such variable \`${node.name}\``, hint, meant);
}

function variableHint(names: readonly string[]): string {
  if (names.length === 0) return "this environment has no variables; write text in quotes";
  const shown = names.slice(0, 5).map((name) => `\`${name}\``);
  return `the variables here are ${shown.join(", ")}${names.length > 5 ? ", …" : ""}`;
}

/** The type of a declared name, in the namespaces of the container. */
function findName(checker: Checker, node: Node, written: string): Type | undefined {
  const { container, variables, constants } = checker.environment;
  for (const name of candidateNames(container, written)) {
    const type = variables.get(name);
    if (type !== undefined) {
      checker.refer(node, { kind: "variable", name });
      return type;
    }
    const constant = constants.get(name);
    if (constant !== undefined) {
      checker.refer(node, { kind: "constant", value: constant.value });
      return constant.type;
    }
  }
  return undefined;
}

/** The type of `operand.field`; or of the whole as one name with dots, where that is declared. */
export function checkSelect(checker: Checker, node: Select): Type {
  const name = node.test || node.optional ? undefined : declaredPath(checker.environment, node);
  if (name !== undefined && checker.scope.find(name.slice(0, name.indexOf("."))) === undefined) {
    const found = findName(checker, node, name);
    if (found !== undefined) return found;
  }
  checker.check(node.operand);
  const operand = unwrapped(checker.known(node.operand));
  const field = fieldType(checker, node, operand.type);
  if (node.test) return BOOL;
  return operand.optional || node.optional ? optionalOf(field) : field;
}

function fieldType(checker: Checker, node: Select, operand: Type): Type {
  const shape = fieldShape(checker, operand, properName(checker, node, operand), node.at);
  switch (operand.kind) {
    case "map":
      return shaped(operand.value, shape);
    case "object":
      return operand.fields.get(node.field) ?? noField(checker, node, operand.name, operand.fields);
    case "opaque":
      if (operand.fields !== undefined)
        return operand.fields.get(node.field) ?? noField(checker, node, operand.name, operand.fields);
      return hasNoFields(checker, node, operand);
    case "parameter":
      checker.variables.assignable([DYN], [operand]);
      return DYN;
    default:
      return isOpen(operand) ? shaped(DYN, shape) : hasNoFields(checker, node, operand);
  }
}

function hasNoFields(checker: Checker, node: Select, operand: Type): Type {
  return checker.typeMistake(
    node.at,
    [operand],
    `${printType(checker.variables.substitute(operand, true))} has no fields`,
    noFieldsHint(checker, node, operand),
  );
}

/** The name of the field; where the object knows it by another name than the one written, that is used, with a warning. */
function properName(checker: Checker, node: Select, operand: Type): string {
  const proper = operand.shape?.aliases?.get(node.field);
  if (proper === undefined) return node.field;
  checker.refer(node, { kind: "field", name: proper });
  checker.warnings.add(node.at, `the field \`${node.field}\` is called \`${proper}\``, `write \`${proper}\``);
  return proper;
}

function noField(checker: Checker, node: Select, name: string, fields: ReadonlyMap<string, Type>): Type {
  const meant = didYouMean(node.field, fields.keys());
  const hint =
    meant !== undefined
      ? `did you mean \`${meant}\`?`
      : checker.environment.functions.has(node.field)
        ? `\`${node.field}\` is a function; write ${node.field}()`
        : undefined;
  return checker.mistake(node.at, `${name} has no field \`${node.field}\``, hint, meant);
}

function noFieldsHint(checker: Checker, node: Select, operand: Type): string | undefined {
  if (checker.environment.functions.has(node.field)) return `\`${node.field}\` is a function; write ${node.field}()`;
  return operand.kind === "list"
    ? "go through the list with a macro, such as exists(), or take an element: list[0]"
    : undefined;
}

/** What is known of a field; an unknown field of a known object is a doubt, because the object may be newer than we are. */
export function fieldShape(checker: Checker, operand: Type, field: string, at: Range): Shape | undefined {
  const known = operand.shape;
  if (known?.fields === undefined) return known?.elements;
  const shape = known.fields.get(field);
  if (shape === undefined) {
    const meant = didYouMean(field, known.fields.keys());
    const hint = meant === undefined ? undefined : `did you mean \`${meant}\`?`;
    checker.warnings.add(at, `${known.name} has no field \`${field}\``, hint);
  }
  return shape;
}
