import type { JsonObject } from "../../../src/model/json.ts";

export const NOW: string;

export function manifestsOf(fleet: object): readonly JsonObject[];
