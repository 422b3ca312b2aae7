// Which names does an environment have at a place: variables, functions, fields, macros?
import { type Call, type Node, qualifiedName } from "../ast.ts";
import { signature } from "../check/check-call.ts";
import { isOpen, TypeVariables, unwrapped } from "../check/type-variables.ts";
import { candidateNames, type Environment } from "../environment.ts";
import type { Overload } from "../library.ts";
import type { Macro } from "../macro.ts";
import { printType, type Type } from "../type.ts";

/** What can be written. */
export interface Proposal {
  /** The text to write. */
  readonly label: string;
  /** `local` is the variable of a macro. */
  readonly kind: "local" | "variable" | "field" | "method" | "function" | "macro" | "namespace" | "type" | "keyword";
  /** The type of a variable or field; the signatures of a function, one on each line. */
  readonly detail: string;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const QUOTABLE = /^[A-Za-z0-9_\-./ ]+$/;
/** Names of operators, and of functions that only macros call. */
const UNWRITABLE = /[^A-Za-z0-9_.]|^_/;

const KEYWORDS: readonly Proposal[] = [
  { label: "true", kind: "keyword", detail: "bool" },
  { label: "false", kind: "keyword", detail: "bool" },
  { label: "null", kind: "keyword", detail: "null" },
];

/** What can be written where a value begins. */
export function globalNames(environment: Environment): readonly Proposal[] {
  const namespaces = candidateNames(environment.container, "").map((name) => name.replace(/\.$/, ""));
  const macros = environment.macros.filter(({ member, namespace }) => !member && namespace === undefined);
  return [
    ...namespaces.flatMap((namespace) => namesUnder(namespace, environment)),
    ...macroProposals(macros),
    ...KEYWORDS,
  ];
}

/** What can be written behind the dot of a receiver that is the name of a namespace: `math.`. */
export function namesIn(receiver: Node, scope: readonly string[], environment: Environment): readonly Proposal[] {
  const name = qualifiedName(receiver);
  if (name === undefined || scope.includes(name.split(".")[0] as string)) return [];
  const macros = environment.macros.filter(({ namespace }) => namespace === name);
  const found = candidateNames(environment.container, name).flatMap((full) => namesUnder(full, environment));
  return [...found, ...macroProposals(macros)];
}

/** Variables, constants and functions of a namespace; of a deeper one only its next part. */
function namesUnder(namespace: string, environment: Environment): readonly Proposal[] {
  const { variables, constants, functions, macros } = environment;
  const before = namespace === "" ? "" : `${namespace}.`;
  const inside = new Map<string, Proposal>();
  const add = (name: string, kind: Proposal["kind"], detail: string): void => {
    if (!name.startsWith(before) || UNWRITABLE.test(name)) return;
    const [label, ...deeper] = name.slice(before.length).split(".") as [string, ...string[]];
    if (inside.has(label)) return;
    inside.set(
      label,
      deeper.length > 0 ? { label, kind: "namespace", detail: `${before}${label}.…` } : { label, kind, detail },
    );
  };
  for (const [name, type] of variables) add(name, "variable", printType(type));
  for (const [name, overloads] of functions) {
    const callable = overloads.filter(({ member }) => !member);
    if (callable.length > 0) add(name, "function", signatures(callable));
  }
  for (const [name, { type }] of constants) add(name, type.kind === "type" ? "type" : "variable", printType(type));
  for (const { namespace: own, name } of macros) if (own !== undefined) add(`${own}.${name}`, "macro", "");
  return [...inside.values()].filter(({ kind }) => kind !== "macro");
}

function signatures(overloads: readonly Overload[]): string {
  return overloads.map(signature).join("\n");
}

/** What can be written behind the dot of a value of the type. */
export function membersOf(type: Type, environment: Environment): readonly Proposal[] {
  if (type.kind === "error") return [];
  const methods: Proposal[] = [];
  for (const [name, overloads] of environment.functions) {
    const fitting = UNWRITABLE.test(name) ? [] : overloads.filter((overload) => isCalledOn(overload, type));
    if (fitting.length > 0) methods.push({ label: name, kind: "method", detail: signatures(fitting) });
  }
  const macros = environment.macros.filter((macro) => isMacroOn(macro, type));
  return [...fieldsOf(unwrapped(type).type), ...methods, ...macroProposals(macros)];
}

function isCalledOn({ member, parameters }: Overload, type: Type): boolean {
  return member && new TypeVariables().assignable([type], [parameters[0] as Type]);
}

/** The fields that are known of values of the type. */
function fieldsOf(type: Type): readonly Proposal[] {
  const fields = type.kind === "object" || type.kind === "opaque" ? type.fields : undefined;
  const known: (readonly [string, string])[] = [...(fields ?? [])].map(([name, field]) => [name, printType(field)]);
  const inside = type.kind === "map" ? printType(type.value) : "dyn";
  for (const name of type.shape?.fields?.keys() ?? []) known.push([name, inside]);
  return known.flatMap(([name, detail]): readonly Proposal[] => {
    if (!QUOTABLE.test(name)) return [];
    return [{ label: NAME.test(name) ? name : `\`${name}\``, kind: "field", detail }];
  });
}

/** Can the macro be called on a value of the type? What it expands to says what it goes through. */
function isMacroOn(macro: Macro, type: Type): boolean {
  if (!macro.member) return false;
  if (isOpen(type)) return true;
  const place = { start: 0, end: 0 };
  const names = ["x", "y", "z", "w"].slice(0, macro.arguments ?? 1);
  const identifier = (name: string): Node => ({ kind: "identifier", name, absolute: false, ...place });
  const call: Call = {
    kind: "call",
    name: macro.name,
    target: identifier("a"),
    args: names.map(identifier),
    at: place,
    ...place,
  };
  switch (macro.expand(call, { mistake: () => undefined }).kind) {
    case "fold":
      return type.kind === "list" || type.kind === "map";
    case "optional-map":
      return unwrapped(type).optional;
    default:
      return type.kind === "list";
  }
}

function macroProposals(macros: readonly Macro[]): readonly Proposal[] {
  const counts = new Map<string, (number | undefined)[]>();
  for (const { name, arguments: count } of macros) counts.set(name, [...(counts.get(name) ?? []), count]);
  return [...counts].map(([label, found]) => {
    const numbers = [...new Set(found)].filter((count) => count !== undefined).sort((a, b) => a - b);
    const one = numbers.length === 1 && numbers[0] === 1;
    const many = numbers.length === 0 ? "arguments" : `${numbers.join(" or ")} ${one ? "argument" : "arguments"}`;
    return { label, kind: "macro", detail: `macro with ${many}` };
  });
}
