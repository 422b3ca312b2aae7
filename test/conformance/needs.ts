// Which protobuf messages, enums and extensions does the text of an expression mention?
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import { candidateNames } from "../../src/cel/environment.ts";

const registry = getTestRegistry();

/** The messages of cel-go's own tests, on which the corpus `checking` rests; the registry has the official ones only. */
const CEL_GO_MESSAGES = /^google\.expr\.proto[23]\.test\.(TestAllTypes(\.Nested(Message|Enum))?|Proto2Message)$/;

/** Names of messages that are types of ours when they stand alone, without `{…}`. */
const OUR_TYPES = ["google.protobuf.Timestamp", "google.protobuf.Duration"];

/** Is this the full name of a message, an enum or an extension? */
export function isProtobufName(name: string): boolean {
  return registry.get(name) !== undefined || CEL_GO_MESSAGES.test(name);
}

/** Quoted text and comments, in which nothing is a name. */
const HIDDEN = /[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\/.*/g;

/** A name in backquotes, or a name with dots and the bracket after it. */
const NAMES = /`(?<quoted>[^`]*)`|(?<name>\.?\s*[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*(?<after>[{(]?)/g;

/** The names that an expression has, each with the bracket that follows it. */
export function namesIn(expression: string): readonly { readonly name: string; readonly after: string }[] {
  return [...expression.replace(HIDDEN, " ").matchAll(NAMES)].map(({ groups }) => ({
    name: (groups?.name ?? groups?.quoted ?? "").replace(/\s/g, ""),
    after: groups?.after ?? "",
  }));
}

/** The full names of the messages, enums and extensions that the expression mentions. */
export function messagesIn(expression: string, container: string): readonly string[] {
  const found = namesIn(expression).flatMap(({ name, after }) => {
    const message = longestMessage(name, container);
    return message === undefined || (OUR_TYPES.includes(message) && after !== "{") ? [] : [message];
  });
  return [...new Set(found)];
}

/** The message with this name, or with its longest known prefix. */
function longestMessage(name: string, container: string): string | undefined {
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
    const message = candidateNames(container, name.slice(0, end)).find(isProtobufName);
    if (message !== undefined) return message;
  }
  return undefined;
}
