// How does a registry want to be asked? The challenges of its WWW-Authenticate header; of hostile ones, what can be read.

const MAX_HEADER = 8 * 1024;
const MAX_CHALLENGES = 20;

export interface Challenge {
  /** In lower case: `basic`, `bearer`. */
  readonly scheme: string;
  /** By their names in lower case; of two with one name, the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const SEPARATORS = /[\s,]*/y;
const NAME = /[A-Za-z0-9!#$%&'*+.^_`|~-]+/y;
const VALUE = /\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))/y;

/** The challenges in their order. Reading ends at the first thing that is none. */
export function readChallenges(header: string | undefined): readonly Challenge[] {
  const text = (header ?? "").slice(0, MAX_HEADER);
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  for (;;) {
    take(SEPARATORS);
    const name = take(NAME)?.[0].toLowerCase();
    if (name === undefined) return challenges;
    const value = take(VALUE);
    if (value === null) {
      if (challenges.length === MAX_CHALLENGES) return challenges;
      challenges.push({ scheme: name, parameters: new Map() });
      continue;
    }
    const parameters = challenges.at(-1)?.parameters;
    if (parameters !== undefined && !parameters.has(name))
      parameters.set(name, value[1]?.replace(/\\(.)/g, "$1") ?? value[2] ?? "");
  }
}
