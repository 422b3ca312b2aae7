// What does this YAML text contain, exactly, and where? Reads documents as Kubernetes does, finds every duplicate
// key, and finds the position of a path.

import {
  CHOMPING_MODE,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import type { Json } from "../model/json.ts";
import { MAX_REPEATED, type RepeatedKey, TextFault } from "./json-text.ts";
import { KUBERNETES_SCHEMA } from "./kubernetes-yaml.ts";
import type { Limits } from "./limits.ts";
import { characterInYaml } from "./place-in-text.ts";
import type { WantedStep } from "./wanted-paths.ts";

/** One YAML text: its documents, and the positions of duplicate keys. */
export interface YamlDocuments {
  readonly values: readonly (Json | undefined)[];
  readonly duplicates: readonly RepeatedKey[];
}

const MAX_ALIASES = 10_000;

/** Reads all documents of a text. Throws a {@link TextFault} if it is not YAML. */
export function readYaml(text: string, limits: Limits): YamlDocuments {
  const { events, source, original } = eventsOf(text, limits);
  const construct = (lastKeyCounts: boolean): Json[] =>
    constructFromEvents(events, {
      source,
      schema: KUBERNETES_SCHEMA,
      maxAliases: MAX_ALIASES,
      json: lastKeyCounts,
    }) as Json[];
  try {
    return { values: construct(false), duplicates: [] };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason !== DUPLICATE) throw asFault(error, original);
  }
  const duplicates = duplicateKeys(source, events).map(({ key, position }) => ({ key, position: original(position) }));
  try {
    return { values: construct(true), duplicates };
  } catch (error) {
    throw error instanceof YAMLException ? asFault(error, original) : error;
  }
}

/** The events of a text; their source; and the mapping of positions to the text. */
interface Events {
  readonly events: Event[];
  readonly source: string;
  readonly original: (position: number) => number;
}

const SHALLOW = "deficient indentation";
/** Deep enough for any line inside brackets or quotes, where whitespace is insignificant. */
const PADDING = " ".repeat(200);
const MAX_REPAIRS = 50;

/**
 * Kubernetes allows lines inside brackets and quotes to be indented less than YAML does (a `]` below its key, for
 * example). Such lines are indented until the parser accepts them, and positions are mapped back. Tabs become spaces.
 */
function eventsOf(text: string, limits: Limits): Events {
  let source = text;
  /** Where lines were indented: positions in the source, in order. */
  const moved: number[] = [];
  const original = (position: number): number =>
    position - moved.reduce((sum, start) => sum + Math.min(PADDING.length, Math.max(0, position - start)), 0);
  for (let repairs = 0; ; ) {
    try {
      const events = parseEvents(source, { maxDepth: limits.maxDepth });
      if (!source.endsWith("\n")) stripLastBlock(events);
      return { events, source, original };
    } catch (error) {
      if (error instanceof RangeError) throw new TextFault("the document is too large to be read", 0, undefined, true);
      if (!(error instanceof YAMLException)) throw error;
      const position = error.mark?.position ?? 0;
      const lineStart = source.lastIndexOf("\n", position - 1) + 1;
      if (error.reason !== SHALLOW || repairs++ >= MAX_REPAIRS) throw asFault(error, original);
      const spaces = /[ \t]*$/.exec(source.slice(lineStart, position))?.[0] ?? "";
      if (spaces.includes("\t")) {
        // Inside brackets a tab is as good as a space.
        source = source.slice(0, position - spaces.length) + " ".repeat(spaces.length) + source.slice(position);
      } else if (moved.includes(lineStart)) throw asFault(error, original);
      else {
        moved.push(lineStart);
        source = source.slice(0, lineStart) + PADDING + source.slice(lineStart);
      }
    }
  }
}

const DUPLICATE = "duplicated mapping key";

/** The parser's reasons in plain words, and what to do. */
const QUOTES =
  "check the indentation; text that contains `: ` or ` #`, or begins with one of @ % ` { [ & * !, needs quotes";
const REASONS: readonly (readonly [RegExp, string, string?])[] = [
  [/^tab characters must not/, "a tab is used for indentation", "indent with spaces"],
  [/^nesting exceeded/, "objects and lists are nested too deeply"],
  [/^(aliases exceeded|merge keys exceeded)/, "aliases (*name) are used too often"],
  [/^unidentified alias/, "an alias (*name) has no anchor (&name) before it", "put text that begins with * in quotes"],
  [/^unexpected end .* quoted/, "a quoted text is not closed before this", "write the closing quote"],
  [/^unexpected end .* flow collection/, "a [ or { is not closed before this", "write the closing bracket"],
  [/complex keys/, "a key is an object or a list", "put {{ … }} in quotes"],
  [/^(deficient|bad) indentation/, "this does not fit what is above", QUOTES],
  [
    /^(can not read|end of the stream or a document separator|missed comma|expected)/,
    "this does not fit what is above",
    QUOTES,
  ],
];

function asFault(error: YAMLException, original: (position: number) => number): TextFault {
  const position = original(error.mark?.position ?? 0);
  for (const [pattern, message, help] of REASONS) {
    if (pattern.test(error.reason))
      return new TextFault(message, position, help, /^(nesting|aliases|merge keys) exceeded/.test(error.reason));
  }
  return new TextFault(error.reason, position);
}

/** If the text does not end with a line end, a block scalar at its end has no final line end either. */
function stripLastBlock(events: readonly Event[]): void {
  const last = events.findLast((event) => event.type === EVENT_ID.SCALAR);
  if (
    last?.type === EVENT_ID.SCALAR &&
    (last.style === SCALAR_STYLE.LITERAL_BLOCK || last.style === SCALAR_STYLE.FOLDED_BLOCK)
  )
    last.chomping = CHOMPING_MODE.STRIP;
}

/**
 * Records the positions of wanted paths in the first document of a text; returns the mapping of positions to the
 * given text.
 */
export function locateInYaml(text: string, wanted: WantedStep, limits: Limits): (position: number) => number {
  const { events, source, original } = eventsOf(text, limits);
  new EventWalk(source, events).locate(1, wanted); // the first event begins the document
  return original;
}

/** A walk over the events of a YAML text. */
class EventWalk {
  readonly #text: string;
  readonly #events: readonly Event[];

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** Records the position of the node at an event, and of wanted nodes inside it; returns the event after the node. */
  locate(at: number, wanted: WantedStep): number {
    const event = this.#events[at];
    if (event === undefined) return at;
    wanted.position = positionOf(event);
    if (event.type === EVENT_ID.SCALAR) wanted.character = (offset) => characterInYaml(this.#text, event, offset);
    if (wanted.inside.size === 0) return this.#after(at);
    if (event.type === EVENT_ID.MAPPING) return this.#locateFields(at + 1, wanted);
    if (event.type === EVENT_ID.SEQUENCE) return this.#locateItems(at + 1, wanted);
    return this.#after(at);
  }

  #locateFields(first: number, wanted: WantedStep): number {
    let at = first;
    while (this.#isNode(at)) {
      const key = this.#events[at] as Event;
      const name = key.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, key) : undefined;
      const step = name === undefined ? undefined : wanted.inside.get(name);
      const value = this.#after(at);
      if (step === undefined) at = this.#after(value);
      else {
        step.keyPosition = positionOf(key);
        at = this.locate(value, step);
      }
    }
    return at + 1;
  }

  #locateItems(first: number, wanted: WantedStep): number {
    let at = first;
    for (let index = 0; this.#isNode(at); index++) {
      const step = wanted.inside.get(index);
      at = step === undefined ? this.#after(at) : this.locate(at, step);
    }
    return at + 1;
  }

  #isNode(at: number): boolean {
    const event = this.#events[at];
    return event !== undefined && event.type !== EVENT_ID.POP;
  }

  /** The event after the node that begins at an event. */
  #after(start: number): number {
    let at = start;
    let open = 0;
    do {
      const event = this.#events[at++];
      if (event === undefined) return at;
      if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open++;
      else if (event.type === EVENT_ID.POP) open--;
    } while (open > 0);
    return at;
  }
}

function isQuoted(style: number): boolean {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
}

function positionOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      // A quoted scalar begins at its quote.
      return Math.max(0, event.valueStart - (isQuoted(event.style) ? 1 : 0));
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
        if (frame.keys.has(key) && duplicates.length < MAX_REPEATED)
          duplicates.push({ key, position: positionOf(event) });
        frame.keys.add(key);
      }
      nodeDone();
    }
  }
  return duplicates;
}
