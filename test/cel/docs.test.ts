// Is every example of docs/cel.md true, and is there one for every function, macro, operator, message and name?
//
// An example is `expression` → `value`, `expression` costs `number` or `expression` costs at most `number`. It runs in the
// environment that a heading above it names (environment `bundle`), else in `plain`, on the JSON block that such a section
// has, and counts for the library that its heading names (library `math`). PLIMSOLL_UPDATE_DOCS=1 writes the values anew.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { children, type Node } from "../../src/cel/ast.ts";
import { compile } from "../../src/cel/compile.ts";
import { estimateCost } from "../../src/cel/cost/estimate.ts";
import { type Environment, environment } from "../../src/cel/environment.ts";
import { everyLibrary } from "../../src/cel/library/every-library.ts";
import type { Constant, Message, Overload } from "../../src/cel/library.ts";
import type { Macro } from "../../src/cel/macro.ts";
import { DEEPEST_NESTING } from "../../src/cel/parse/parser.ts";
import { MAX_EXPRESSION_LENGTH } from "../../src/cel/parse/size-limit.ts";
import { type Bindings, DEFAULT_LIMITS } from "../../src/cel/plan/frame.ts";
import type { Program } from "../../src/cel/program.ts";
import { DYN } from "../../src/cel/type.ts";
import { writeValue } from "../../src/cel/value/describe.ts";
import { parseTimestamp, type Timestamp } from "../../src/cel/value/timestamp.ts";
import { CelError } from "../../src/cel/value/value.ts";
import { bundleBindings, bundleEnvironment } from "../../src/constraint/bundle-environment.ts";
import type { Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ClusterScore } from "../../src/model/placement-score.ts";
import { clusterBindings, placementEnvironment } from "../../src/placement/cel/placement-environment.ts";
import { AddOnScores } from "../../src/placement/score/add-on-scores.ts";

const PAGE = "docs/cel.md";
const UPDATE = process.env.PLIMSOLL_UPDATE_DOCS === "1";
const page = readFileSync(PAGE, "utf8");

/** An example, and its place. */
interface Example {
  readonly line: number;
  readonly section: string;
  readonly environment: string;
  readonly library: string | undefined;
  readonly expression: string;
  readonly kind: "→" | "costs" | "costs at most";
  readonly answer: string;
}

const EXAMPLE = /`([^`]+)` (→|costs|costs at most) `([^`]+)`/g;
const HEADING = /^(#+) (.*)$/;

/** In a table, a | inside of code is written with a backslash. */
function unescaped(line: string, text: string): string {
  return line.startsWith("|") ? text.replaceAll("\\|", "|") : text;
}

function escaped(line: string, text: string): string {
  return line.startsWith("|") ? text.replaceAll("|", "\\|") : text;
}

/** What the headings above a line name: the innermost counts. */
function named(headings: readonly string[], what: "environment" | "library"): string | undefined {
  return headings
    .map((heading) => new RegExp(`${what} \`([^\`]+)\``).exec(heading)?.[1])
    .findLast((name) => name !== undefined);
}

const lines = page.split("\n");
const examples: Example[] = [];
const blocks = new Map<string, unknown>();

/** Reads the examples and the data of each environment. */
function readPage(): void {
  let headings: string[] = [];
  let block: string[] | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("```")) {
      const name = named(headings, "environment");
      if (block !== undefined && name !== undefined && lines[index - block.length - 1] === "```json")
        blocks.set(name, JSON.parse(block.join("\n")));
      block = block === undefined ? [] : undefined;
      continue;
    }
    if (block !== undefined) {
      block.push(line);
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading !== null) {
      headings = headings.slice(0, (heading[1] as string).length - 1);
      headings[(heading[1] as string).length - 1] = heading[2] as string;
      headings = Array.from(headings, (text) => text ?? "");
    }
    for (const [, expression, kind, answer] of line.matchAll(EXAMPLE)) {
      examples.push({
        line: index + 1,
        section: headings.at(-1) ?? "",
        environment: named(headings, "environment") ?? "plain",
        library: named(headings, "library"),
        expression: unescaped(line, expression as string),
        kind: kind as Example["kind"],
        answer: unescaped(line, answer as string),
      });
    }
  }
}

readPage();

interface Setting {
  readonly environment: Environment;
  readonly bindings: Bindings;
}

/** The data of the example cluster, as the page writes it. */
interface PlacementData {
  readonly managedCluster: JsonObject;
  readonly now: string;
  readonly scores: readonly {
    readonly metadata: { readonly namespace: string; readonly name: string };
    readonly status: { readonly scores: readonly ClusterScore[]; readonly validUntil?: string };
  }[];
}

function plain(data: Bindings): Setting {
  const variables = Object.fromEntries(Object.keys(data).map((name) => [name, DYN]));
  return { environment: environment({ libraries: everyLibrary, variables }), bindings: data };
}

function bundle({ properties }: { readonly properties: readonly Property[] }): Setting {
  return { environment: bundleEnvironment(), bindings: bundleBindings(properties) };
}

function placement({ managedCluster, now, scores }: PlacementData): Setting {
  const book = new AddOnScores({ now: parseTimestamp(now) as Timestamp });
  for (const { metadata, status } of scores) book.add(metadata.namespace, metadata.name, status);
  return { environment: placementEnvironment, bindings: clusterBindings(managedCluster, book) };
}

const settings = new Map<string, Setting>([
  ["plain", plain(blocks.get("plain") as Bindings)],
  ["bundle", bundle(blocks.get("bundle") as Parameters<typeof bundle>[0])],
  ["placement", placement(blocks.get("placement") as PlacementData)],
]);

/** What an example used. */
interface Use {
  readonly overloads: ReadonlySet<Overload>;
  readonly macros: ReadonlySet<Macro>;
  readonly constants: ReadonlySet<unknown>;
  readonly operators: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

/** The environment, with macros that record their use. */
function watched(given: Environment, macros: Set<Macro>): Environment {
  const watching = given.macros.map((macro) => ({
    ...macro,
    expand: (...args: Parameters<Macro["expand"]>): Node => {
      macros.add(macro);
      return macro.expand(...args);
    },
  }));
  return { ...given, macros: watching };
}

function run(example: Example): { readonly answer: string; readonly use: Use } {
  const setting = settings.get(example.environment);
  if (setting === undefined) throw new Error(`line ${example.line}: no environment ${example.environment}`);
  const macros = new Set<Macro>();
  const { program, errors } = compile(example.expression, watched(setting.environment, macros));
  if (program === undefined) {
    const none: ReadonlySet<never> = new Set<never>();
    // A backtick would end the code in the page.
    const answer = `refused: ${errors[0]?.message.replaceAll("`", "'")}`;
    return { answer, use: { overloads: none, macros, constants: none, operators: none, messages: none } };
  }
  return { answer: answerOf(program, setting, example.kind), use: useOf(program, macros) };
}

function answerOf(program: Program, { bindings }: Setting, kind: Example["kind"]): string {
  if (kind === "costs at most") {
    const { max } = estimateCost(program.checked, program.environment);
    return max === Number.POSITIVE_INFINITY ? "unbounded" : String(max);
  }
  const result = program.evaluate(bindings);
  if (kind === "costs") return String(program.cost);
  return result instanceof CelError ? `error: ${result.message}` : writeValue(result);
}

function useOf({ checked }: Program, macros: ReadonlySet<Macro>): Use {
  const operators = new Set<string>();
  const messages = new Set<string>();
  const open: Node[] = [checked.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "call" && node.target === undefined) operators.add(node.name);
    if (node.kind === "message") messages.add(node.name);
    open.push(...children(node));
  }
  const overloads = new Set<Overload>();
  const constants = new Set<unknown>();
  for (const reference of checked.references.values()) {
    if (reference.kind === "function") for (const overload of reference.overloads) overloads.add(overload);
    if (reference.kind === "constant") constants.add(reference.value);
  }
  return { overloads, macros, constants, operators, messages };
}

if (UPDATE) {
  const updated = lines.map((line, index) => {
    const ofLine = examples.filter((example) => example.line === index + 1);
    let next = 0;
    return line.replace(EXAMPLE, (_, expression: string, kind: string) => {
      const { answer } = run(ofLine[next++] as Example);
      return `\`${expression}\` ${kind} \`${escaped(line, answer)}\``;
    });
  });
  writeFileSync(PAGE, updated.join("\n"));
}

const uses = examples.map((example) => ({ example, ...run(example) }));

describe("its examples are true", () => {
  const sections = [...new Set(examples.map(({ section }) => section))];
  test.for(sections)("%s", (section) => {
    const ours = uses.filter(({ example }) => example.section === section);
    const shown = ({ line, expression, kind }: Example, answer: string): string =>
      `${line}: ${expression} ${kind} ${answer}`;
    expect(ours.map(({ example, answer }) => shown(example, answer))).toEqual(
      ours.map(({ example, answer }) => shown(example, UPDATE ? answer : example.answer)),
    );
  });
});

/** What must have examples: a library, or what an environment has beyond the libraries. */
interface Chapter {
  readonly title: string;
  readonly functions: readonly Overload[];
  readonly macros: readonly Macro[];
  readonly constants: readonly Constant[];
  readonly messages: readonly Message[];
  readonly covers: (example: Example) => boolean;
}

const ofLibraries = new Set(everyLibrary.flatMap((library) => library.functions ?? []));

const chapters: readonly Chapter[] = [
  ...everyLibrary.map(
    ({ name, functions = [], macros = [], constants = [], messages = [] }): Chapter => ({
      title: `library \`${name}\``,
      functions,
      macros,
      constants,
      messages,
      covers: ({ library }) => library === name,
    }),
  ),
  ...(["bundle", "placement"] as const).map(
    (name): Chapter => ({
      title: `environment \`${name}\``,
      functions: [...(settings.get(name)?.environment.functions.values() ?? [])]
        .flat()
        .filter((overload) => !ofLibraries.has(overload)),
      macros: [],
      constants: [],
      messages: [],
      covers: (example) => example.environment === name,
    }),
  ),
];

const OPERATOR = /^[@!_-]|_$/;

/** A function in the form in which it is called: `x.split(2)`, `size(1)`. */
function formOf({ name, member, parameters }: Overload): string {
  return `${member ? "x." : ""}${name}(${parameters.length})`;
}

describe("it has an example", () => {
  test.for(chapters)("of everything in $title", ({ functions, macros, constants, messages, covers }) => {
    const used = uses.filter(({ example }) => covers(example)).map(({ use }) => use);
    const forms = new Set(
      used.flatMap(({ overloads }) => [...overloads].filter((one) => functions.includes(one)).map(formOf)),
    );
    const missing = [...new Set(functions.filter(({ name }) => !OPERATOR.test(name)).map(formOf))].filter(
      (form) => !forms.has(form),
    );
    const missingMacros = macros.filter((macro) => !used.some((use) => use.macros.has(macro)));
    const missingNames = constants.filter(({ value }) => !used.some((use) => use.constants.has(value)));
    const missingMessages = messages.filter(({ name }) => !used.some((use) => use.messages.has(name)));
    expect(missing).toEqual([]);
    expect(missingMacros.map(({ name, arguments: count }) => `${name}(${count})`)).toEqual([]);
    expect([...missingNames, ...missingMessages].map(({ name }) => name)).toEqual([]);
  });

  test("of every operator", () => {
    const names = [...ofLibraries].map(({ name }) => name).filter((name) => OPERATOR.test(name));
    const used = new Set(uses.flatMap(({ use }) => [...use.operators, ...[...use.overloads].map(({ name }) => name)]));
    expect([...new Set([...names, "_&&_", "_||_"])].filter((name) => !used.has(name))).toEqual([]);
  });
});

test("its headings name libraries and environments that exist", () => {
  const titles = new Set([...chapters.map(({ title }) => title), "environment `plain`"]);
  const headings = lines.filter((line) => HEADING.test(line)).join("\n");
  const mentioned = [...headings.matchAll(/(?:library|environment) `[^`]+`/g)].map(([text]) => text);
  expect(mentioned.filter((text) => !titles.has(text))).toEqual([]);
});

test("its bounds are those of the engine", () => {
  for (const bound of [MAX_EXPRESSION_LENGTH, DEEPEST_NESTING, ...Object.values(DEFAULT_LIMITS)])
    expect(page).toContain(bound.toString().replace(/\B(?=(\d{3})+$)/g, ","));
});
