// What else differs between two definitions that could matter to their users? Short names, categories, printer columns and
// deprecation do not; what has no known meaning is reported.

import { isList, isObject, type JsonObject, own } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { isSameValue, nestsAtMost } from "../deep-value.ts";
import { MAX_LEVELS } from "../schema/read-schema.ts";
import { type DefinitionChange, placeOfNamed, specOf, versionAsWritten } from "./definition-change.ts";
import { type Observe, observation } from "./observation.ts";

const KNOWN_OF_SPEC: ReadonlySet<string> = new Set([
  ..."group names scope versions version validation subresources".split(" "),
  ..."additionalPrinterColumns conversion preserveUnknownFields selectableFields".split(" "),
]);

const KNOWN_OF_VERSION: ReadonlySet<string> = new Set([
  ..."name served storage schema subresources".split(" "),
  ..."additionalPrinterColumns deprecated deprecationWarning selectableFields".split(" "),
]);

/** Differences outside of schemas: unknown fields that are dropped, fields that can no longer be selected by, and the rest. */
export function observeOtherDifferences(change: DefinitionChange, observe: Observe): void {
  unknownFields(change, observe);
  const { before, after, kept } = change;
  const [oldSpec, newSpec] = [specOf(before), specOf(after)];
  const placeInSpec = (key: string): Place => inside((Object.hasOwn(newSpec, key) ? after : before).place, "spec", key);
  differences("", oldSpec, newSpec, KNOWN_OF_SPEC, placeInSpec, observe);
  for (const { name } of kept) {
    const [old, now] = [versionAsWritten(before, name) ?? {}, versionAsWritten(after, name) ?? {}];
    const place = (key: string): Place =>
      Object.hasOwn(now, key) ? placeOfNamed(after, name, key) : placeOfNamed(before, name, key);
    differences(name, old, now, KNOWN_OF_VERSION, place, observe);
    const selectable = new Set(pathsOf(now, newSpec));
    const at = placeOfNamed(after, name, "selectableFields");
    for (const path of new Set(pathsOf(old, oldSpec)))
      if (!selectable.has(path)) observe(observation("CRD299", name, at, { kind: "not-selectable" }, { path }));
  }
}

function unknownFields({ before, after }: DefinitionChange, observe: Observe): void {
  if (before.preserveUnknownFields === after.preserveUnknownFields) return;
  const [old, now] = [before.preserveUnknownFields, after.preserveUnknownFields];
  const key = Object.hasOwn(specOf(after), "preserveUnknownFields") ? ["preserveUnknownFields"] : [];
  const detail = { kind: "unknown-fields", areKept: now } as const;
  const more = { path: ".", effect: now ? "looser" : "tighter", old, new: now } as const;
  observe(observation("CRD215", "", inside(after.place, "spec", ...key), detail, more));
}

/** The fields that objects of a version can be selected by. */
function pathsOf(version: JsonObject, spec: JsonObject): readonly string[] {
  const fields = own(version, "selectableFields") ?? own(spec, "selectableFields");
  if (!isList(fields)) return [];
  const paths = fields.map((field) => (isObject(field) ? own(field, "jsonPath") : undefined));
  return paths.filter((path) => typeof path === "string");
}

function differences(
  version: string,
  old: JsonObject,
  now: JsonObject,
  known: ReadonlySet<string>,
  place: (key: string) => Place,
  observe: Observe,
): void {
  for (const key of new Set([...Object.keys(now), ...Object.keys(old)])) {
    if (known.has(key)) continue;
    const [was, is] = [own(old, key), own(now, key)];
    if (isSameValue(was, is)) continue;
    const become = was === undefined ? "new" : is === undefined ? "gone" : "changed";
    const more = {
      ...(was !== undefined && nestsAtMost(was, MAX_LEVELS) && { old: was }),
      ...(is !== undefined && nestsAtMost(is, MAX_LEVELS) && { new: is }),
    };
    observe(observation("CRD299", version, place(key), { kind: "field", field: key, become }, more));
  }
}
