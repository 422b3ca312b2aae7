// Which bundles satisfy the requests, and are they satisfied as the answer reports?

import type { Bundle, Catalog } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { Installed, Problem, Request } from "../model/problem.ts";
import type { Answer, Chosen, Violation } from "./answer.ts";
import { type Candidates, candidatesOf, rankOf } from "./candidates.ts";

/** The requests of a problem with their candidates. */
export class Requests {
  readonly requests: readonly Request[];
  readonly #candidates = new Map<Request, Candidates>();
  readonly #wanted: Selection;

  constructor(problem: Problem) {
    this.requests = problem.requests;
    for (const request of problem.requests) this.#candidates.set(request, candidatesOf(problem, request));
    this.#wanted = new Selection([...this.#candidates.values()].flatMap(({ bundles }) => bundles));
  }

  /** What satisfies a request, best first. */
  of(request: Request): Candidates {
    return this.#candidates.get(request) as Candidates;
  }

  /** Is the bundle a candidate of any request? */
  isCandidate(bundle: Chosen): boolean {
    return this.#wanted.has(bundle);
  }

  /** Which operators are replaced by which of these bundles, their update targets. */
  successors(chosen: readonly Chosen[]): ReadonlyMap<Installed, Chosen> {
    const selection = new Selection(chosen);
    const successors = new Map<Installed, Chosen>();
    for (const request of this.requests) {
      const { bundles, installed } = this.of(request);
      const target = installed && bundles.find((one) => selection.has(one));
      if (installed !== undefined && target !== undefined) successors.set(installed, target);
    }
    return successors;
  }

  /** What the answer reports wrongly about satisfied requests. */
  falseClaims(answer: Answer): readonly Violation[] {
    const chosen = new Selection(answer.chosen);
    const kept = new Set(answer.kept);
    const claimed = new Set(answer.satisfied);
    const violations: Violation[] = [];
    const report = (text: string): void => {
      violations.push({ rule: "claim", text });
    };
    if (claimed.size < answer.satisfied.length) report("a request is reported as satisfied twice");
    for (const request of this.requests) {
      const candidates = this.of(request);
      const rank = rankOf(
        candidates,
        (one) => chosen.has(one),
        (one) => kept.has(one),
      );
      const isContent = rank !== undefined && candidates.hasSource;
      const isClaimed = claimed.delete(request.id);
      if (isClaimed && rank === undefined)
        report(`request ${request.id} is reported as satisfied, but none of its candidates is present`);
      if (isClaimed && rank !== undefined && !isContent)
        report(`request ${request.id} is reported as satisfied, but what it asks for is gone or was not read`);
      if (!isClaimed && isContent) report(`request ${request.id} is satisfied, but the answer does not report it`);
    }
    for (const id of claimed) report(`request ${id} is reported as satisfied, but there is no such request`);
    return violations;
  }
}

/** A set of bundles of catalogs. */
export class Selection {
  readonly #bundles = new Map<Catalog, Set<Bundle>>();

  constructor(chosen: readonly Chosen[]) {
    for (const one of chosen) this.add(one);
  }

  add({ catalog, bundle }: Chosen): void {
    getOrAdd(this.#bundles, catalog, () => new Set()).add(bundle);
  }

  has({ catalog, bundle }: Chosen): boolean {
    return this.#bundles.get(catalog)?.has(bundle) ?? false;
  }
}
