// Which function does a call mean, and what type does it give?
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Call, Node } from "../ast.ts";
import { candidateNames } from "../environment.ts";
import type { Overload } from "../library.ts";
import type { Macro } from "../macro.ts";
import { BOOL, DYN, printType, type Shape, sameType, shaped, type Type } from "../type.ts";
import { callableForms, type SignatureMaker } from "./callable-forms.ts";
import type { Checker } from "./check.ts";
import { fieldShape } from "./check-name.ts";
import { declaredPath } from "./qualified-name.ts";
import { areDistinct } from "./type-variables.ts";

/** The type of a call. The arguments are checked here, unless they were already. */
export function checkCall(checker: Checker, node: Call, argumentsKnown = false): Type {
  if (node.name === "_&&_" || node.name === "_||_") return logical(checker, node);
  const prefix = node.target === undefined ? undefined : namespaceOf(checker, node.target);
  const qualified = prefix === undefined ? undefined : findFunction(checker, `${prefix}.${node.name}`);
  const name = qualified ?? findFunction(checker, node.name);
  const receiver = qualified === undefined ? node.target : undefined;
  if (name === undefined && prefix !== undefined && isNamespace(checker, prefix))
    return noFunction(checker, node, `${prefix}.`);
  if (receiver !== undefined) checker.check(receiver);
  if (name === undefined) return noFunction(checker, node, "");
  if (!argumentsKnown) for (const arg of node.args) checker.check(arg);
  const args = receiver === undefined ? node.args : [receiver, ...node.args];
  const type = resolve(checker, node, name, receiver !== undefined, args);
  return name === "_[_]" || name === "_[?_]" ? shaped(type, indexShape(checker, node)) : type;
}

/** What is known of an element, or of the field that a literal key names. */
function indexShape(checker: Checker, node: Call): Shape | undefined {
  const [operand, key] = node.args as [Node, Node];
  const type = checker.known(operand);
  return key.kind === "literal" && typeof key.value === "string"
    ? fieldShape(checker, type, key.value, key)
    : type.shape?.elements;
}

/** `&&` and `||` take any number of bools. */
function logical(checker: Checker, node: Call): Type {
  for (const arg of node.args) {
    checker.check(arg);
    checker.demand(arg, BOOL, `each side of ${node.name.slice(1, 3)}`);
  }
  checker.refer(node, { kind: "function", name: node.name, overloads: [], callable: [], args: node.args });
  return BOOL;
}

/** The namespace that a receiver may be: `math` in `math.abs(x)`, when no variable of a macro is called so. */
function namespaceOf(checker: Checker, target: Node): string | undefined {
  const name = declaredPath(checker.environment, target);
  if (name === undefined) return undefined;
  const first = name.split(".")[0] as string;
  return checker.scope.find(first) === undefined ? name : undefined;
}

function findFunction(checker: Checker, written: string): string | undefined {
  const { container, functions } = checker.environment;
  if (container === "" && functions.has(written)) return written;
  return candidateNames(container, written).find((name) => functions.has(name));
}

/** Is it the first part of functions' names, and no variable? */
function isNamespace(checker: Checker, prefix: string): boolean {
  const { variables, functions, macros } = checker.environment;
  if (variables.has(prefix)) return false;
  const inside = `${prefix}.`;
  return (
    macros.some(({ namespace }) => namespace === prefix) ||
    [...functions.keys()].some((name) => name.startsWith(inside))
  );
}

/** Names of functions in other languages, and the names here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["any", "exists"],
  ["some", "exists"],
  ["every", "all"],
  ["forEach", "map"],
  ["find", "filter"],
  ["len", "size"],
  ["length", "size"],
  ["count", "size"],
  ["toLower", "lowerAscii"],
  ["lower", "lowerAscii"],
  ["toUpper", "upperAscii"],
  ["upper", "upperAscii"],
  ["includes", "contains"],
  ["regex", "matches"],
  ["match", "matches"],
  ["hasPrefix", "startsWith"],
  ["hasSuffix", "endsWith"],
  ["str", "string"],
  ["float", "double"],
]);

function noFunction(checker: Checker, node: Call, namespace: string): Type {
  const written = node.name.replace(/^\./, "");
  const { functions, macros } = checker.environment;
  const callable = [...functions.keys()].filter((name) => /^[A-Za-z]/.test(name) && !name.includes("@"));
  const known = new Set([
    ...callable,
    ...macros.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`)),
  ]);
  const synonym = SYNONYMS.get(written);
  const meant = synonym !== undefined && known.has(synonym) ? synonym : didYouMean(namespace + written, known);
  const forms = macros.filter(
    (macro) => macro.name === written && `${macro.namespace ?? ""}` === namespace.slice(0, -1),
  );
  const hint =
    forms.length > 0 ? macroHint(written, forms) : meant === undefined ? undefined : `did you mean \`${meant}\`?`;
  // The arguments of a misspelled macro are not checked: its variable is undeclared.
  const isMacro = forms.length > 0 || macros.some(({ name }) => name === meant);
  if (!isMacro) for (const arg of node.args) checker.check(arg);
  checker.refer(node, { kind: "function", name: written, overloads: [], callable: [], args: [] });
  return checker.mistake(node.at, `no such function \`${namespace}${written}\``, hint);
}

function macroHint(name: string, forms: readonly Macro[]): string {
  const counts = [...new Set(forms.map((form) => form.arguments))]
    .filter((count) => count !== undefined)
    .sort((a, b) => a - b);
  const form = forms[0];
  const called =
    form?.namespace !== undefined ? `${form.namespace}.${name}` : form?.member === true ? `x.${name}` : name;
  return `\`${called}(…)\` takes ${counts.length === 0 ? "arguments" : `${counts.join(" or ")} ${counts.length === 1 && counts[0] === 1 ? "argument" : "arguments"}`}`;
}

function resolve(checker: Checker, node: Call, name: string, member: boolean, args: readonly Node[]): Type {
  const named = checker.environment.functions.get(name) as readonly Overload[];
  const { overloads: callable, signatures } = callableForms(named, member, args.length);
  const types = args.map((arg) => checker.known(arg));
  const overloads: Overload[] = [];
  let result: Type | undefined;
  for (let index = 0; index < callable.length; index++) {
    const overload = callable[index] as Overload;
    if (overload.crossType === true && !checker.environment.crossTypeComparisons) continue;
    if (areDistinct(types, overload.parameters)) continue;
    const own = (signatures[index] as SignatureMaker).signature(checker.variables);
    if (!checker.variables.assignable(types, own.parameters)) continue;
    overloads.push(overload);
    const found = checker.variables.substitute(own.result, false);
    // A type that is still unknown is dyn; cel-go lets the next call decide, and so refuses valid expressions.
    const type = found.kind === "parameter" ? DYN : found;
    if (result === undefined) result = type;
    else if (result.kind !== "dyn" && !sameType(result, type)) result = DYN;
  }
  const known = checker.errors === undefined ? [] : overloads;
  checker.refer(node, { kind: "function", name, overloads: known, callable, args });
  if (result !== undefined) return withMistakenLiteral(checker, overloads, args, result);
  const printed = types.map((type) => printType(checker.variables.substitute(type, true)));
  return checker.typeMistake(node.at, types, ...noOverload(name, member, printed, named, checker));
}

/** Reports a literal argument that can never work (a broken regular expression). */
function withMistakenLiteral(
  checker: Checker,
  overloads: readonly Overload[],
  args: readonly Node[],
  result: Type,
): Type {
  const only = overloads.length === 1 && checker.environment.checkLiterals ? overloads[0] : undefined;
  const literal = only?.prepare === undefined ? undefined : args[only.prepare.argument];
  if (only?.prepare === undefined || literal?.kind !== "literal") return result;
  const prepared = only.prepare.specialise(literal.value);
  if (typeof prepared !== "function") checker.mistake(literal, prepared.mistake);
  return result;
}

const OPERATOR_NAMES: ReadonlyMap<string, string> = new Map([
  ["@in", "in"],
  ["_[_]", "[ ]"],
  ["_[?_]", "[? ]"],
  ["_?_:_", "? :"],
  ["!_", "!"],
  ["-_", "-"],
]);

/** How an operator or function is called in a message. */
export function spokenName(name: string): string {
  return OPERATOR_NAMES.get(name) ?? (isOperator(name) ? name.slice(1, -1) : name.replace(/^@/, ""));
}

/** Is it an operator? The names of functions may begin with an underscore, too. */
function isOperator(name: string): boolean {
  return /^[_@!-]/.test(name) && !/^\w+$/.test(name);
}

const MAX_FORMS = 4;

/** What is wrong with a call that fits no overload, and which forms there are. */
function noOverload(
  name: string,
  member: boolean,
  types: readonly string[],
  named: readonly Overload[],
  checker: Checker,
): [string, string | undefined] {
  const spoken = spokenName(name);
  if (isOperator(name)) {
    const what = types.length === 2 ? `${types[0]} and ${types[1]}` : types.join(", ");
    return [`\`${spoken}\` does not work on ${what}`, operatorHint(name, types)];
  }
  const given = member ? `${types[0]}.${spoken}(${types.slice(1).join(", ")})` : `${spoken}(${types.join(", ")})`;
  const forms = named
    .filter((overload) => overload.crossType !== true || checker.environment.crossTypeComparisons)
    .map(signature);
  const shown = forms.slice(0, MAX_FORMS).map((form) => `\`${form}\``);
  return [
    `no such form of \`${spoken}\`: ${given}`,
    `there is ${shown.join(", ")}${forms.length > MAX_FORMS ? ", …" : ""}`,
  ];
}

const NUMBERS: ReadonlySet<string> = new Set(["int", "uint", "double"]);

function operatorHint(name: string, types: readonly string[]): string | undefined {
  if (types.length !== 2) return undefined;
  const [left, right] = types as [string, string];
  if (left !== right && NUMBERS.has(left) && NUMBERS.has(right)) return `convert one side: ${left}(…) or ${right}(…)`;
  if (name === "_+_" && (left === "string" || right === "string")) return "convert the other side with string(…)";
  if (name === "@in" && right === "string") return "a part of a text is found with text.contains(part)";
  if (name === "_==_" || name === "_!=_") return "both sides need the same type; dyn(…) compares anything";
  return undefined;
}

/** An overload as its documentation writes it: `string.contains(string): bool`. */
export function signature(overload: Overload): string {
  const types = overload.parameters.map(printType);
  const call = overload.member
    ? `${types[0]}.${overload.name}(${types.slice(1).join(", ")})`
    : `${overload.name}(${types.join(", ")})`;
  return `${call}: ${printType(overload.result)}`;
}
