// Which metrics and labels does an expression of PromQL name? A scan of its words, not a parser: enough to find a name that there is not,
// and a bracket that is not closed.

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** Words that are not names of metrics. */
const WORDS = new Set(
  "sum min max count time by without on ignoring and or unless rate increase absent histogram_quantile le bool offset".split(
    " ",
  ),
);
const TOKEN = /"(?:[^"\\]|\\.)*"|\$?[a-zA-Z_:][a-zA-Z0-9_:]*|\d+(?:\.\d+)?[smhd]?|[()[\]{}]|[-+*/%^=!<>~,]+|\s+/gy;

/** A selector: the metric, and the labels that it is filtered by. */
export interface Selected {
  readonly metric: string;
  readonly labels: readonly string[];
}

export interface ExpressionNames {
  readonly selected: readonly Selected[];
  /** The labels by which values are grouped or matched. */
  readonly grouped: readonly string[];
}

/** What an expression names. Throws if it has a character that is not known, or brackets do not match. */
export function namesIn(expression: string): ExpressionNames {
  const tokens = tokensOf(expression);
  checkBrackets(tokens, expression);
  const selected: Selected[] = [];
  const grouped: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (["by", "without", "on", "ignoring"].includes(token)) grouped.push(...wordsUpTo(tokens, at + 1, ")"));
    if (!isMetric(tokens, at)) continue;
    const labels = tokens[at + 1] === "{" ? wordsUpTo(tokens, at + 1, "}") : [];
    selected.push({ metric: token, labels });
  }
  return { selected, grouped };
}

function tokensOf(expression: string): readonly string[] {
  const tokens = [...expression.matchAll(TOKEN)].map(([token]) => token);
  if (tokens.join("") !== expression) throw new Error(`unknown character after ${tokens.join("")}`);
  return tokens.filter((token) => token.trim() !== "");
}

function checkBrackets(tokens: readonly string[], expression: string): void {
  const open: string[] = [];
  for (const token of tokens) {
    const closing = PAIRS[token];
    if (closing !== undefined) open.push(closing);
    else if (Object.values(PAIRS).includes(token) && open.pop() !== token)
      throw new Error(`${token} closes nothing: ${expression}`);
  }
  if (open.length > 0) throw new Error(`${open.at(-1)} is missing: ${expression}`);
}

/** The words in brackets that open at a token. */
function wordsUpTo(tokens: readonly string[], from: number, end: string): readonly string[] {
  return tokens.slice(from, tokens.indexOf(end, from)).filter((token) => /^[a-z_]+$/.test(token));
}

/** A word that is no function, no label and no time. */
function isMetric(tokens: readonly string[], at: number): boolean {
  const token = tokens[at] as string;
  if (!/^[a-z_:]+$/.test(token) || WORDS.has(token)) return false;
  const before = tokens.slice(0, at);
  const inBraces = before.lastIndexOf("{") > before.lastIndexOf("}");
  const opened = before.lastIndexOf("(");
  const inGroup =
    opened > before.lastIndexOf(")") && ["by", "without", "on", "ignoring"].includes(before[opened - 1] ?? "");
  return !inBraces && !inGroup;
}
