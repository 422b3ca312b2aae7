// How is our own resolver driven? The one place that knows what the library calls it.
import { libraryOf, moduleOf } from "../modules.mjs";

/** Conflict limit that is enough for a valid answer, not necessarily the best. */
const FIRST_ANSWER = 2_000;

/** The library of a build of ours; `resolver` is undefined in a build that has none. */
export async function plimsoll(dist) {
  const library = await libraryOf(dist);
  const { Resolver, DEFAULT_OPTIONS: options } = library;
  if (Resolver === undefined) return { library, options, resolver: undefined };
  /** Builds the index of the problem's catalogs; it can be reused for other requests over the same catalogs. */
  const makeResolver = (problem) => {
    const resolver = new Resolver(problem);
    return { resolve: (asked) => resolver.resolve(asked) };
  };
  const resolveProblem = (problem) => makeResolver(problem).resolve(problem);
  const firstAnswer = (problem) => ({ ...problem, options: { ...problem.options, maxConflicts: FIRST_ANSWER } });
  const explainer = await explainerOf(dist);
  const solveProblem = await solvingOf(dist);
  return { library, options, resolver: { makeResolver, resolveProblem, solveProblem, firstAnswer, explainer } };
}

/** Only the part from a problem to its best model: candidates, clauses, search; undefined in a build that is divided differently. */
async function solvingOf(dist) {
  const [{ Encoding }, { newQuestion }, { optimise }] = await Promise.all(
    ["resolve/encoding", "resolve/question", "resolve/objectives"].map((name) => maybeModule(dist, name)),
  );
  if (!Encoding || !newQuestion || !optimise) return undefined;
  return (problem) => optimise(newQuestion(new Encoding(problem), problem), undefined);
}

/** Explains the items of an answer one by one; undefined in a build that is divided differently. */
async function explainerOf(dist) {
  const [{ whyHeldBack, whyRefused }, { foundWith }, { bodyText }] = await Promise.all(
    ["resolve/explain/explain-answer", "resolve/explain/found-answer", "render/sentence/explanation-body"].map((name) =>
      maybeModule(dist, name),
    ),
  );
  if (!whyHeldBack || !whyRefused || !foundWith || !bodyText) return undefined;
  return (problem, answer) => {
    const found = foundWith(answer, problem, undefined);
    const explain = (item) => (item.request === undefined ? whyHeldBack(found, item) : whyRefused(found, item));
    return { explain, textOf: bodyText };
  };
}

/** A module of a build; empty if the build does not have it. */
function maybeModule(dist, name) {
  return moduleOf(dist, name).catch(() => ({}));
}
