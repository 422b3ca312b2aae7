// What does this YAML text say, exactly, and where? Reads documents as Kubernetes does, finds every duplicate key, and
// finds the position of a path.

import { constructFromEvents, EVENT_ID, type Event, getScalarValue, parseEvents, YAMLException } from "js-yaml";
import type { Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { TextFault } from "./json-text.ts";
import { KUBERNETES_SCHEMA } from "./kubernetes-yaml.ts";
import type { Limits } from "./limits.ts";

/** One YAML text: its documents, and the positions of keys that stand twice in one mapping. */
export interface YamlDocuments {
  readonly values: readonly (Json | undefined)[];
  readonly duplicates: readonly { readonly key: string; readonly position: number }[];
}

const MAX_ALIASES = 10_000;

/** Reads all documents of a text. Throws a {@link TextFault} if it is not YAML. */
export function readYaml(text: string, limits: Limits): YamlDocuments {
  const options = { source: text, schema: KUBERNETES_SCHEMA, maxAliases: MAX_ALIASES };
  try {
    const events = parseEvents(text, { maxDepth: limits.maxDepth });
    try {
      return { values: constructFromEvents(events, options) as Json[], duplicates: [] };
    } catch (error) {
      if (!(error instanceof YAMLException) || error.reason !== DUPLICATE) throw error;
      const values = constructFromEvents(events, { ...options, json: true }) as Json[];
      return { values, duplicates: duplicateKeys(text, events) };
    }
  } catch (error) {
    if (error instanceof YAMLException) throw asFault(error);
    throw error;
  }
}

const DUPLICATE = "duplicated mapping key";

/** What the parser's reasons mean to a person, and what to do. */
const REASONS: readonly (readonly [RegExp, string, string?])[] = [
  [/^tab characters must not/, "a tab is used for indentation", "indent with blanks"],
  [/^nesting exceeded/, "objects and lists nest too deep"],
  [/^(aliases exceeded|merge keys exceeded)/, "aliases (*name) are used too often"],
  [/^unidentified alias/, "an alias (*name) has no anchor (&name) before it"],
  [/^unknown (scalar|sequence|mapping) tag/, "a tag (!name) is not known", "remove the tag"],
  [/^(deficient indentation|bad indentation)/, "the indentation does not fit what stands above"],
  [
    /^(can not read a|end of the stream or a document separator)/,
    "this does not continue what stands above",
    "check the indentation, and put text that contains `: ` or ` #` in quotes",
  ],
];

function asFault(error: YAMLException): TextFault {
  const position = error.mark?.position ?? 0;
  for (const [pattern, message, help] of REASONS) {
    if (pattern.test(error.reason))
      return new TextFault(message, position, help, /^(nesting|aliases|merge keys) exceeded/.test(error.reason));
  }
  return new TextFault(error.reason, position);
}

/** The position of the value at a path of the first document, or of the nearest value above it. */
export function locateInYaml(text: string, path: Path, limits: Limits): number {
  const events = parseEvents(text, { maxDepth: limits.maxDepth });
  const walk = new EventWalk(text, events);
  return walk.locate(path);
}

/** A cursor over the events of a YAML text. */
class EventWalk {
  readonly #text: string;
  readonly #events: readonly Event[];
  #at = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  locate(path: Path): number {
    this.#at = 1; // after the start of the document
    let found = this.#position();
    for (const step of path) {
      const inside = typeof step === "number" ? this.#enterItem(step) : this.#enterField(step);
      if (!inside) return found;
      found = this.#position();
    }
    return found;
  }

  #enterField(key: string): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.MAPPING) return false;
    let found = -1;
    this.#at++;
    while (this.#more()) {
      const name = this.#scalar();
      this.#skip();
      if (name === key) found = this.#at;
      this.#skip();
    }
    if (found < 0) return false;
    this.#at = found;
    return true;
  }

  #enterItem(index: number): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.SEQUENCE) return false;
    this.#at++;
    for (let position = 0; this.#more(); position++) {
      if (position === index) return true;
      this.#skip();
    }
    return false;
  }

  #more(): boolean {
    const event = this.#events[this.#at];
    return event !== undefined && event.type !== EVENT_ID.POP;
  }

  #scalar(): string | undefined {
    const event = this.#events[this.#at];
    return event?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, event) : undefined;
  }

  /** Steps over the node at the cursor. */
  #skip(): void {
    let open = 0;
    do {
      const event = this.#events[this.#at++];
      if (event === undefined) return;
      if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open++;
      else if (event.type === EVENT_ID.POP) open--;
    } while (open > 0);
  }

  #position(): number {
    const event = this.#events[this.#at];
    return event === undefined ? 0 : positionOf(event);
  }
}

function positionOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      // A quoted scalar begins at its quote.
      return Math.max(0, event.valueStart - (event.style === 2 || event.style === 3 ? 1 : 0));
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    default:
      return 0;
  }
}

/** Every key that its mapping had before. */
function duplicateKeys(text: string, events: readonly Event[]): { key: string; position: number }[] {
  const duplicates: { key: string; position: number }[] = [];
  /** The keys of each open mapping (undefined for a sequence), and whether a key comes next. */
  const open: { keys: Set<string> | undefined; keyNext: boolean }[] = [];
  const nodeDone = () => {
    const frame = open.at(-1);
    if (frame) frame.keyNext = !frame.keyNext;
  };
  for (const event of events) {
    const frame = open.at(-1);
    if (event.type === EVENT_ID.POP) {
      open.pop();
      nodeDone();
    } else if (event.type === EVENT_ID.MAPPING) open.push({ keys: new Set(), keyNext: true });
    else if (event.type === EVENT_ID.SEQUENCE) open.push({ keys: undefined, keyNext: false });
    else if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) {
      if (frame?.keys && frame.keyNext && event.type === EVENT_ID.SCALAR) {
        const key = getScalarValue(text, event);
        if (frame.keys.has(key)) duplicates.push({ key, position: positionOf(event) });
        frame.keys.add(key);
      }
      nodeDone();
    }
  }
  return duplicates;
}
