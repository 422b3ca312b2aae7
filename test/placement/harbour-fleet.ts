// Which clusters does the bundled fleet give to a Placement?

import { parseTimestamp, Timestamp } from "../../src/cel/value/timestamp.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import { Documents } from "../../src/input/read-documents.ts";
import type { Finding } from "../../src/model/finding.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { exampleDocuments } from "../example-documents.ts";

/** The default time at which the fleet is placed. */
export const HARBOUR_NOW = "2026-11-05T12:00:00Z";

/** How the fleet is placed. */
export interface HarbourOptions {
  /** Further documents. */
  readonly more?: readonly JsonObject[];
  /** Further text in YAML, as a file `more.yaml`. */
  readonly text?: string;
  readonly now?: string;
  readonly mode?: PlacementMode;
}

/** An engine over `examples/harbour/fleet`, with its Placements unless further text brings others. */
export function harbourEngine({ more = [], text, now = HARBOUR_NOW, mode }: HarbourOptions = {}): PlacementEngine {
  const report = ({ message, place }: Finding): void => {
    throw new Error(`${place.source}:${place.line}: ${message}`);
  };
  const reader = new ObjectsReader(report);
  for (const value of [...exampleDocuments("fleet"), ...more])
    if (text === undefined || value.kind !== "Placement")
      reader.add(value, { source: "fleet.yaml", line: 1, column: 1 });
  if (text !== undefined) {
    const sink: ConstructorParameters<typeof Documents>[0]["sink"] = (value, place) => reader.add(value, place);
    const documents = new Documents({ source: "more.yaml", limits: DEFAULT_LIMITS, report, sink });
    documents.push(new TextEncoder().encode(text));
    documents.end();
  }
  const moment = parseTimestamp(now);
  if (!(moment instanceof Timestamp)) throw moment;
  return new PlacementEngine(reader.finish(), { now: moment, mode: mode ?? DEFAULT_MODE });
}

/** The clusters with a verdict, by name. */
export function clustersThat(engine: PlacementEngine, key: string, verdict: string): readonly string[] {
  return engine.reports(key).flatMap((report) => (report.verdict === verdict ? report.name : []));
}
