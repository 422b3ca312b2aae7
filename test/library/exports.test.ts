// Does the library say everything about itself? Every value has a doc comment, and every type that a public signature uses can be
// named by a program.

import { relative, resolve } from "node:path";
// The newest release with a compiler API that is a library.
import ts from "typescript-5.4";
import { expect, test } from "vitest";

const MODULES = resolve("dist/modules");
const ENTRIES = ["index", "cel", "node"].map((name) => `${MODULES}/${name}.d.ts`);

const program = ts.createProgram([...ENTRIES], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  types: [],
});
const checker = program.getTypeChecker();

/** What a name finally stands for. */
function meant(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

interface Exported {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly isValue: boolean;
}

function exportsOf(entry: string): readonly Exported[] {
  const file = program.getSourceFile(entry) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(file) as ts.Symbol;
  return checker.getExportsOfModule(module).map((named) => {
    const symbol = meant(named);
    return { name: named.name, symbol, isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(named) };
  });
}

/** `export type { … }` and `export type *` make no value. */
function isTypeOnly(named: ts.Symbol): boolean {
  return (
    (named.declarations ?? []).some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration)) ||
    isUnderTypeStar(named)
  );
}

function isUnderTypeStar(named: ts.Symbol): boolean {
  return (named.declarations ?? []).some((declaration) => declaration.getSourceFile().fileName.endsWith("/types.d.ts"));
}

const byEntry = new Map(ENTRIES.map((entry) => [relative(MODULES, entry), exportsOf(entry)]));
const all = [...byEntry.values()].flat();

function isOurs(symbol: ts.Symbol): boolean {
  return symbol.declarations?.some((one) => one.getSourceFile().fileName.startsWith(MODULES)) ?? false;
}

/** A shorthand that its own module keeps to itself, or the type of a value. */
function isShorthand(symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined || ts.isVariableDeclaration(declaration)) return true;
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) === 0;
}

test("there are about sixty values", () => {
  const values = [...byEntry].map(([entry, exported]) => [entry, exported.filter(({ isValue }) => isValue).length]);
  const sum = all.filter(({ isValue }) => isValue).length;
  expect(sum, JSON.stringify(values)).toBeLessThanOrEqual(72);
  expect(sum).toBeGreaterThan(40);
});

test("a value has one home", () => {
  const values = all.filter(({ isValue }) => isValue).map(({ name }) => name);
  expect(values.filter((name, index) => values.indexOf(name) !== index)).toEqual([]);
});

test("every value has a doc comment", () => {
  const silent = all.filter(({ symbol, isValue }) => isValue && symbol.getDocumentationComment(checker).length === 0);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("every type that a public signature uses is exported", () => {
  const exported = new Set(all.map(({ symbol }) => symbol));
  const waiting = [...exported];
  const seen = new Set(exported);
  const missing = new Set<string>();
  const visit = (node: ts.Node): void => {
    // What a type parameter is by default is not used where it is given.
    if (ts.isTypeParameterDeclaration(node)) {
      if (node.constraint !== undefined) visit(node.constraint);
      return;
    }
    const name = nameIn(node);
    const found = name === undefined ? undefined : checker.getSymbolAtLocation(name);
    const symbol = found && meant(found);
    if (symbol !== undefined && isOurs(symbol) && !(symbol.flags & ts.SymbolFlags.TypeParameter) && !seen.has(symbol)) {
      seen.add(symbol);
      waiting.push(symbol);
      const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
      if (!isShorthand(symbol)) missing.add(`${symbol.name} (${relative(MODULES, file)})`);
    }
    ts.forEachChild(node, visit);
  };
  for (const symbol of waiting)
    for (const declaration of symbol.declarations ?? [])
      if (isOurs(symbol)) for (const member of publicParts(declaration)) visit(member);
  expect([...missing].sort()).toEqual([]);
});

/** The name that a node refers to, if it refers to a type. */
function nameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return ts.isTypeQueryNode(node) ? node.exprName : undefined;
}

function publicParts(declaration: ts.Declaration): readonly ts.Node[] {
  if (!ts.isClassDeclaration(declaration)) return [declaration];
  const members = declaration.members.filter(
    (member) => (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) === 0,
  );
  return [...members, ...(declaration.heritageClauses ?? [])];
}
