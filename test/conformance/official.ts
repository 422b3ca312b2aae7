// Which are the official conformance tests (cel-spec v0.25.1), as cases for our engine?
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import type { SerializedIncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import { printType } from "../../src/cel/type.ts";
import type { Value } from "../../src/cel/value/value.ts";
import type { Case, Expected, Need } from "./case.ts";
import { messagesIn } from "./needs.ts";
import {
  type DeclarationJson,
  readFunctions,
  readType,
  readValue,
  type TypeJson,
  type ValueJson,
} from "./protobuf-json.ts";

/** `cel.expr.conformance.test.SimpleTest`, as far as the tests use it. */
export interface TestJson {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly typeEnv?: readonly DeclarationJson[];
  readonly bindings?: Readonly<Record<string, { readonly value: ValueJson }>>;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly value?: ValueJson;
  readonly typedResult?: { readonly result?: ValueJson; readonly deducedType?: TypeJson };
  readonly evalError?: { readonly errors?: readonly { readonly message: string }[] };
}

/** What a reader of the data must know of a field that no test used when this was written. */
const USED_FIELDS = [
  "name",
  "description",
  "expr",
  "container",
  "typeEnv",
  "bindings",
  "disableCheck",
  "checkOnly",
  "value",
  "typedResult",
  "evalError",
];

/** The official tests, in their order. */
export function officialCases(): readonly Case[] {
  return everyTest().map(({ section, key, test }) => officialCase(section, key, originalOf(test)));
}

/** The types that cel-go finds for the expressions of the official tests that have a value and need no message. */
export function deducedTypeCases(): readonly Case[] {
  return everyTest().flatMap(({ section, key, test }) => {
    const official = officialCase(section, key, originalOf(test));
    // The parts of a block are dyn in cel-go's runner; we know their types.
    if (official.blocks || official.needs.length > 0 || official.expected.kind !== "result") return [];
    // A type in the official test takes precedence; cel-go differs once ([optional.of(1), null]).
    if (test.type === undefined || official.expected.type !== undefined) return [];
    const expected: Expected = { kind: "result", type: test.type };
    return [{ ...official, corpus: "types", section: "types", key: `types/${key}`, check: true, expected }];
  });
}

interface NamedTest {
  readonly section: string;
  readonly key: string;
  readonly test: SerializedIncrementalTest;
}

/** The tests with their full names; a name that is there twice gets a number. */
function everyTest(): readonly NamedTest[] {
  const seen = new Map<string, number>();
  return (tests.suites ?? []).flatMap((section) =>
    (section.suites ?? []).flatMap((group) =>
      (group.tests ?? []).map((test) => {
        const name = `${section.name}/${group.name}/${test.original.name}`;
        const count = (seen.get(name) ?? 0) + 1;
        seen.set(name, count);
        return { section: section.name, key: count === 1 ? name : `${name} (${count})`, test };
      }),
    ),
  );
}

/** The test as it was written; an unexpected field must not be ignored. */
function originalOf(test: SerializedIncrementalTest): TestJson {
  const strange = Object.keys(test.original).filter((field) => !USED_FIELDS.includes(field));
  if (strange.length > 0) throw new Error(`${test.original.name} has unknown fields: ${strange.join(", ")}`);
  return test.original as unknown as TestJson;
}

function officialCase(section: string, key: string, test: TestJson): Case {
  const environment = environmentOf(test);
  const needs = [...environment.needs];
  const meetAt = (where: Need["where"]) => (name: string) => needs.push({ name, where });
  const bindings: Record<string, Value> = {};
  for (const [name, binding] of Object.entries(test.bindings ?? {})) {
    const value = readValue(binding.value, meetAt("binding"));
    if (value !== undefined) bindings[name] = value;
  }
  return {
    corpus: "official",
    section,
    key,
    ...environment,
    bindings,
    check: test.disableCheck !== true,
    crossTypeComparisons: false,
    blocks: section === "block_ext",
    expected: expectedOf(test, meetAt("expected")),
    needs,
  };
}

/** The parts of a case with its expression and its environment. */
export function environmentOf(
  test: TestJson,
): Pick<Case, "expression" | "container" | "variables" | "functions"> & { readonly needs: readonly Need[] } {
  const container = test.container ?? "";
  const needs: Need[] = messagesIn(test.expr, container).map((name) => ({ name, where: "expression" }));
  const meet = (name: string) => needs.push({ name, where: "declaration" });
  const declarations = test.typeEnv ?? [];
  return {
    expression: test.expr,
    container,
    variables: Object.fromEntries(
      declarations.flatMap(({ name, ident }) => (ident === undefined ? [] : [[name, readType(ident.type, meet)]])),
    ),
    functions: declarations.flatMap((declaration) => readFunctions(declaration, meet)),
    needs,
  };
}

/** A test without an expectation expects `true`. A value that cannot be read needs a message, so that its case is never run. */
function expectedOf(test: TestJson, meet: (name: string) => void): Expected {
  if (test.evalError !== undefined) {
    return { kind: "error", message: (test.evalError.errors ?? []).map(({ message }) => message).join("; ") };
  }
  if (test.typedResult === undefined) {
    const value = test.value === undefined ? true : readValue(test.value, meet);
    return value === undefined ? { kind: "result" } : { kind: "result", value };
  }
  const { result, deducedType } = test.typedResult;
  const value = test.checkOnly || result === undefined ? undefined : readValue(result, meet);
  return {
    kind: "result",
    ...(value === undefined ? {} : { value }),
    ...(deducedType === undefined ? {} : { type: printType(readType(deducedType, meet)) }),
  };
}
