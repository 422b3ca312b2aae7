// How is our own resolver driven? The one place that knows what the library calls it.
import { pathToFileURL } from "node:url";

/** Conflict limit that is enough for a valid answer, not necessarily the best. */
const FIRST_ANSWER = 2_000;

/** The library of a build of ours; `resolver` is undefined in a build that has none. */
export async function plimsoll(dist) {
  const library = await import(pathToFileURL(`${dist}/node.js`).href);
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

/** Only the part from a problem to its best model: candidates, clauses, search; undefined in a build that is divided otherwise. */
async function solvingOf(dist) {
  const folder = pathToFileURL(`${dist}/resolve/`).href;
  const load = (name) => import(`${folder}${name}.js`).catch(() => ({}));
  const [{ Encoding }, { catalogWorld }, { askQuestion }, { optimise }] = await Promise.all(
    ["encoding", "catalog-world", "question", "objectives"].map(load),
  );
  if (!Encoding || !catalogWorld || !askQuestion || !optimise) return undefined;
  return (problem) =>
    optimise(askQuestion(new Encoding(catalogWorld(problem.catalogs, problem.options), problem), problem), undefined);
}

/** Explains the items of an answer, one when it is asked for; a build of before carried its explanations in the answer. */
async function explainerOf(dist) {
  const folder = pathToFileURL(`${dist}/`).href;
  const why = await import(`${folder}resolve/explain/explain-answer.js`).catch(() => undefined);
  if (why === undefined) return () => ({ explain: ({ explanation }) => explanation, textOf: ({ text }) => text });
  const { foundWith } = await import(`${folder}resolve/explain/found.js`);
  const { storyText } = await import(`${folder}render/sentence/story.js`);
  return (problem, answer) => {
    const found = foundWith(answer, problem, undefined);
    const explain = (item) => (item.request === undefined ? why.whyHeldBack(found, item) : why.whyRefused(found, item));
    return { explain, textOf: storyText };
  };
}
