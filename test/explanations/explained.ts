// What does an answer explain? Every "no" in it, each with the problem and the answer that it is about.

import type { Problem, Request } from "../../src/model/problem.ts";
import { catalogWorld } from "../../src/resolve/catalog-world.ts";
import { Encoding } from "../../src/resolve/encoding.ts";
import { explainAbsent } from "../../src/resolve/explain/why.ts";
import type { Explanation, HeldBack, Resolution, Unsatisfied } from "../../src/resolve/resolution.ts";
import { solve } from "../../src/resolve/solution.ts";
import { withoutApprovals } from "../worlds/approvals.ts";
import { explainedAnswer as resolve } from "./explained-answer.ts";
import { type Meaning, meaningOf } from "./meaning.ts";
import { type Participant, Population } from "./population.ts";

/** A "no" and everything that it rests on. */
export interface Explained extends Meaning {
  /** The problem as it was given. */
  readonly problem: Problem;
  /** What was answered. */
  readonly resolution: Resolution;
  readonly about: "unsatisfied" | "held-back" | "absent";
  readonly item: Unsatisfied | Pick<HeldBack, "package" | "name" | "available">;
  readonly explanation: Explanation;
  /**
   * All participants, as the explanation sees them: a request without an operator is explained as if all were approved, and so
   * is an operator that approval alone would not move.
   */
  readonly population: Population;
  /** The answer beside which it is not possible. */
  readonly answer: Resolution;
}

/** All that the answer to a problem explains. */
export function explainedIn(problem: Problem): readonly Explained[] {
  const resolution = resolve(problem);
  const requests = problem.requests.map(asApproved);
  const isSame = requests.every((request, index) => request === problem.requests[index]);
  const approved = isSame ? resolution : resolve({ ...problem, requests });
  // Where it is all or nothing, what is not possible is not possible beside all that could have been had.
  const { allOrNothing } = problem.options;
  const partly = allOrNothing
    ? resolve({ ...problem, requests, options: { ...problem.options, allOrNothing: false } })
    : approved;
  const population = new Population(problem);
  const automatic = isSame ? population : new Population(withoutApprovals(problem));
  return [
    ...resolution.unsatisfied.map((item): Explained => {
      const { explanation, request, kept } = item;
      const available = population
        .ladder(request)
        .flatMap(({ chosen }) => (chosen ? [{ name: chosen.bundle.name }] : []));
      // One that stays, and could perhaps be newer if something had been read, is explained as if it were held back.
      const meaning = meaningOf(explanation, problem);
      const isHeld = meaning.causes.some((cause) => cause.kind === "wanted" && cause.why === "goal");
      const shared = { problem, resolution, explanation, population, ...meaning } as const;
      if (kept !== undefined && item.undecided && isHeld && available.length > 0) {
        const held = { package: request.package, name: kept, available };
        return { ...shared, about: "held-back", item: held, answer: approved };
      }
      return { ...shared, about: "unsatisfied", item, answer: partly };
    }),
    ...resolution.heldBack.map((item): Explained => {
      const { explanation } = item;
      const meaning = meaningOf(explanation, problem);
      const shared = { problem, resolution, about: "held-back", item, explanation, ...meaning } as const;
      const isHeldAnyway = approved.heldBack.some(
        ({ name, available }) => name === item.name && namesOf(available) === namesOf(item.available),
      );
      return isHeldAnyway
        ? { ...shared, population, answer: approved }
        : { ...shared, population: automatic, answer: resolution };
    }),
  ];
}

function namesOf(available: HeldBack["available"]): string {
  return available.map(({ name }) => name).join();
}

/** A bundle that is not in the answer, and why; without a reason where no rule forbids it. */
export interface Absent extends Omit<Explained, "explanation"> {
  readonly bundle: Participant;
  readonly explanation: Explanation | undefined;
}

/** Every bundle that is not in the answer to a problem in which nothing waits for approval. */
export function absentIn(problem: Problem): readonly Absent[] {
  const world = catalogWorld(problem);
  const solution = solve(new Encoding(problem), problem);
  const resolution = resolve(problem);
  const population = new Population(problem);
  const isThere = population.after(resolution);
  return population.participants.flatMap((bundle) => {
    if (bundle.chosen === undefined || isThere.has(bundle)) return [];
    const { name, package: owner } = bundle.chosen.bundle;
    const node = world.indexOf(bundle.chosen.catalog).nodeOf(bundle.chosen.bundle);
    const explanation = explainAbsent(solution, [node]);
    const item = { package: owner, name, available: [] };
    const meaning = explanation === undefined ? NOTHING : meaningOf(explanation, problem);
    const shared = { problem, resolution, population, answer: resolution, ...meaning };
    return [{ ...shared, about: "absent" as const, item, bundle, explanation }];
  });
}

const NOTHING: Meaning = { causes: [], derivation: undefined };

function asApproved(request: Request): Request {
  return request.approval === "Automatic" ? request : { ...request, approval: "Automatic" };
}

/** What an explanation is about, for messages. */
export function subjectOf({ about, item }: Pick<Explained, "about" | "item">): string {
  return `${about} ${"request" in item ? item.request.id : item.name}`;
}
