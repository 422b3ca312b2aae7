// Which message does a literal with fields make?
import { didYouMean } from "../../text/did-you-mean.ts";
import type { MessageLiteral } from "../ast.ts";
import { candidateNames } from "../environment.ts";
import { printType, type Type } from "../type.ts";
import type { Checker } from "./check.ts";
import { unwrapped } from "./type-variables.ts";

/** The type of `Name{field: value}`. */
export function checkMessage(checker: Checker, node: MessageLiteral): Type {
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
      checker.mistake(
        field.at,
        `${message.name} has no field \`${field.name}\``,
        meant === undefined ? undefined : `did you mean \`${meant}\`?`,
      );
      continue;
    }
    const type = field.optional ? unwrapped(checker.known(field.value)).type : checker.known(field.value);
    if (!checker.variables.assignable([type], [wanted])) {
      checker.typeMistake(
        field.value,
        [type],
        `the field ${field.name} must be ${printType(wanted)} and is ${printType(checker.variables.substitute(type, true))}`,
      );
    }
  }
  checker.refer(node, { kind: "message", message });
  return message.result;
}
