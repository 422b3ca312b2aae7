// What is the state of the namespaces of a cluster while they are resolved one after another? Each is resolved on top
// of the results of those before it: two answers that are right by themselves could break each other.

import type { Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import { canonicalText, compareText, type Json } from "../model/json.ts";
import { type ClusterDefinition, compareNamespaced, type Installed, type Problem } from "../model/problem.ts";
import { firstPosition } from "../model/sorted.ts";
import { byNamespace } from "./prepare/namespace-state.ts";
import type { Resolution } from "./resolution.ts";
import { resolve } from "./resolve.ts";
import { chosenBundle, runningAs, withDefinitionsOf } from "./state-after.ts";

/**
 * Number of operators considered that differ in nothing but their namespace. The first shows what is provided and
 * required, the second that there is another of its kind, which conflicts and owners of a CRD depend on; a third adds
 * nothing. So the work for a namespace depends on the number of distinct operators in the cluster, not on the number
 * of namespaces.
 */
const MAX_ALIKE = 2;

/** The state of all namespaces of a question. */
export class ClusterState {
  readonly #resolved = new Operators();
  /** Operators of namespaces that are not resolved; they do not change. */
  readonly #others = new Operators();
  #definitions: readonly ClusterDefinition[] | undefined;
  #orphans: readonly string[] | undefined;
  #changes = 0;

  constructor(problems: readonly Problem[]) {
    for (const { namespace, installed } of problems) this.#resolved.set(namespace, installed);
    const [first] = problems;
    const others = (first?.elsewhere ?? []).filter(({ namespace }) => !this.#resolved.has(namespace));
    for (const [namespace, operators] of byNamespace(others)) this.#others.set(namespace, operators);
    this.#definitions = first?.definitions;
    this.#orphans = first?.orphans;
  }

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** The problem of a namespace, with the current state of the others. */
  beside(problem: Problem): Problem {
    if (this.#changes === 0) return problem;
    const elsewhere = this.elsewhere(problem.namespace);
    return { ...problem, elsewhere, definitions: this.#definitions, orphans: this.#orphans };
  }

  /** The operators of the other namespaces, by namespace and name. */
  elsewhere(namespace: string): readonly Installed[] {
    return [...this.#resolved.without(namespace), ...this.#others.without(namespace)].sort(compareNamespaced);
  }

  /** Sets the state of a namespace from its problem. */
  become({ namespace, installed, definitions, orphans }: Problem): void {
    this.#others.set(namespace, []);
    this.#resolved.set(namespace, installed);
    this.#definitions = definitions;
    this.#orphans = orphans;
    this.#changes++;
  }

  /** Applies the answer for a namespace, if it changes anything. */
  carryOut(problem: Problem, { operators }: Resolution): void {
    const bundles = operators.flatMap((operator) => chosenBundle(problem, operator)?.bundle ?? []);
    if (bundles.length === 0) return;
    const staying = new Set(operators.flatMap(({ name, from }) => (from === undefined ? [name] : [])));
    this.become({
      ...problem,
      installed: [
        ...problem.installed.filter(({ name }) => staying.has(name)),
        ...bundles.map((bundle) => runningAs(bundle, problem.namespace)),
      ],
      definitions: bundles.reduce(withDefinitionsOf, problem.definitions ?? []),
    });
  }
}

/** Operators by content, then by namespace. */
class Operators {
  readonly #alike = new Map<string, { readonly namespaces: string[]; readonly by: Map<string, Installed> }>();
  readonly #contents = new Map<string, readonly string[]>();
  readonly #numbers = new Map<string, number>();
  readonly #numberOf = new WeakMap<readonly Property[], number>();

  has(namespace: string): boolean {
    return this.#contents.has(namespace);
  }

  set(namespace: string, operators: readonly Installed[]): void {
    for (const content of this.#contents.get(namespace) ?? []) {
      const alike = this.#alike.get(content);
      alike?.by.delete(namespace);
      alike?.namespaces.splice(placeOf(namespace, alike.namespaces), 1);
      if (alike?.by.size === 0) this.#alike.delete(content);
    }
    const contents: string[] = [];
    for (const operator of operators) {
      const content = this.#contentOf(operator);
      contents.push(content);
      const alike = getOrAdd(this.#alike, content, () => ({ namespaces: [], by: new Map() }));
      alike.by.set(namespace, operator);
      alike.namespaces.splice(placeOf(namespace, alike.namespaces), 0, namespace);
    }
    this.#contents.set(namespace, contents);
  }

  /** The operators of other namespaces; the first few of those with equal content. */
  without(own: string): Installed[] {
    const found: Installed[] = [];
    for (const { namespaces, by } of this.#alike.values()) {
      let count = 0;
      for (const namespace of namespaces) {
        if (namespace === own) continue;
        found.push(by.get(namespace) as Installed);
        if (++count === MAX_ALIKE) break;
      }
    }
    return found;
  }

  /** Everything about an operator that other namespaces can see. */
  #contentOf({ properties, name, package: owner, version, minKubeVersion, installModes, owned }: Installed): string {
    const facts = { name, owner, version, minKubeVersion, installModes, owned } as unknown as Json;
    return `${this.#numberOfAll(properties)} ${canonicalText(facts)}`;
  }

  /** Equal lists of properties have one number; a bundle's list is large and shared between namespaces. */
  #numberOfAll(properties: readonly Property[]): number {
    return getOrAdd(this.#numberOf, properties, () => {
      const text = canonicalText(properties as unknown as Json);
      return getOrAdd(this.#numbers, text, () => this.#numbers.size);
    });
  }
}

/** The index of a namespace in a sorted list, or its insertion point. */
function placeOf(namespace: string, sorted: readonly string[]): number {
  return firstPosition(sorted.length, (position) => compareText(sorted[position] as string, namespace) < 0);
}

/** The result for a problem: an answer, or a bug of plimsoll. */
export type Solved =
  | { readonly kind: "solved"; readonly problem: Problem; readonly resolution: Resolution }
  | { readonly kind: "bug"; readonly problem: Problem; readonly message: string };

/** Solves one problem; an exception is a bug. */
export function solve(problem: Problem, by: (problem: Problem) => Resolution): Solved {
  try {
    return { kind: "solved", problem, resolution: by(problem) };
  } catch (error) {
    return { kind: "bug", problem, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Solves problems one after another, each with the answers before it carried out; once `isOver` returns true, the best answer so far is taken. */
export function* solveAll(problems: readonly Problem[], isOver?: () => boolean): Generator<Solved> {
  const cluster = new ClusterState(problems);
  for (const given of problems) {
    const problem = cluster.beside(given);
    const solved = solve(problem, (asked) => resolve(asked, isOver));
    if (solved.kind === "solved") cluster.carryOut(problem, solved.resolution);
    yield solved;
  }
}
