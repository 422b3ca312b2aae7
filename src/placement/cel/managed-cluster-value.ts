// What does an expression see of a ManagedCluster? The object as OCM's controller has it: with the fields that its type
// always has, without those that are empty, amounts and times as text. Values that need no conversion are not copied.
import { parseQuantity } from "../../cel/library/kubernetes/quantity-parse.ts";
import { parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError, type JsonMap } from "../../cel/value/value.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";

/** The parts of a cluster that expressions read: of each top-level field all (undefined), or some of the fields below. */
export type WantedFields = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** The value of the variable `managedCluster`, or only what is wanted of it. Fields that we do not know are left as they are. */
export function managedClusterValue(object: JsonObject, wanted?: WantedFields): JsonMap {
  const value: Record<string, Json> = {};
  for (const key of wanted === undefined ? Object.keys(object) : wanted.keys())
    if (!READ.has(key) && Object.hasOwn(object, key)) define(value, key, object[key] as Json);
  for (const [name, section] of SECTIONS) {
    if (wanted === undefined) value[name] = record(own(object, name), section);
    else if (wanted.has(name)) value[name] = someFields(own(object, name), section, wanted.get(name));
  }
  return value as JsonMap;
}

/** The fields that these paths lead to; undefined if one of them means the whole cluster. */
export function wantedFields(paths: Iterable<readonly string[]>): WantedFields | undefined {
  const wanted = new Map<string, Set<string> | undefined>();
  for (const [name, field] of paths) {
    if (name === undefined) return undefined;
    if (field === undefined) wanted.set(name, undefined);
    else if (!wanted.has(name)) wanted.set(name, new Set([field]));
    else wanted.get(name)?.add(field);
  }
  return wanted;
}

/** What is read, or left out. */
const READ: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "spec", "status"]);

type Read = (value: Json) => Json;
type Fields = Readonly<Record<string, Read>>;

/** A field that is always present, and its zero value. */
type Always = Readonly<Record<string, Json>>;

/** What is known of the fields of an object. */
interface Section {
  readonly fields: Fields;
  readonly always: Always;
  /** Numbers that are left out when they are 0. */
  readonly counts?: ReadonlySet<string>;
}

const TAINT: Section = { fields: { timeAdded: time }, always: { key: "", effect: "", timeAdded: null } };
const CONDITION: Section = {
  fields: { lastTransitionTime: time },
  always: { type: "", status: "", lastTransitionTime: null, reason: "", message: "" },
  counts: new Set(["observedGeneration"]),
};
const CLIENT_CONFIG: Section = { fields: {}, always: { url: "" } };
const PLAIN: Section = { fields: {}, always: {} };

const SECTIONS: readonly (readonly [name: string, section: Section])[] = [
  [
    "metadata",
    { fields: { creationTimestamp: time, deletionTimestamp: time }, always: {}, counts: new Set(["generation"]) },
  ],
  [
    "spec",
    {
      fields: { taints: each(TAINT), managedClusterClientConfigs: each(CLIENT_CONFIG) },
      always: { hubAcceptsClient: false },
      counts: new Set(["leaseDurationSeconds"]),
    },
  ],
  [
    "status",
    {
      fields: {
        allocatable: amounts,
        capacity: amounts,
        clusterClaims: each(PLAIN),
        conditions: each(CONDITION),
        version: (version) => record(version, PLAIN),
      },
      always: { version: {}, conditions: null },
    },
  ],
];

/** The object with what its type always has and without what is empty; the object itself where that changes nothing. */
function record(given: Json | undefined, section: Section): JsonObject {
  const object = isObject(given) ? given : {};
  if (object === given && isAsItIs(object, section)) return object;
  const value: Record<string, Json> = {};
  for (const key of Object.keys(object)) addField(value, object, key, section);
  for (const key of Object.keys(section.always)) if (!Object.hasOwn(object, key)) addField(value, object, key, section);
  return value;
}

/** The same, of these fields only: there are very many clusters, and converting fields that are not read takes time. */
function someFields(given: Json | undefined, section: Section, wanted: ReadonlySet<string> | undefined): JsonObject {
  if (wanted === undefined) return record(given, section);
  const object = isObject(given) ? given : {};
  const value: Record<string, Json> = {};
  for (const key of wanted) addField(value, object, key, section);
  return value;
}

function addField(value: Record<string, Json>, object: JsonObject, key: string, section: Section): void {
  const { fields, always } = section;
  const field = Object.hasOwn(object, key) ? readField(object, key, fields) : null;
  if (Object.hasOwn(always, key)) define(value, key, field ?? (always[key] as Json));
  else if (!isOmitted(key, field, section)) define(value, key, field);
}

/** Is it already in that form? Most objects are. */
function isAsItIs(object: JsonObject, section: Section): boolean {
  const { fields, always } = section;
  for (const key of Object.keys(object)) {
    const after = readField(object, key, fields);
    if (after !== object[key] || (!Object.hasOwn(always, key) && isOmitted(key, after, section))) return false;
  }
  for (const key of Object.keys(always)) {
    if (!Object.hasOwn(object, key)) return false;
    if (object[key] === null && always[key] !== null) return false;
  }
  return true;
}

function readField(object: JsonObject, key: string, fields: Fields): Json {
  const value = object[key] as Json;
  const read = Object.hasOwn(fields, key) ? (fields[key] as Read) : undefined;
  return read === undefined || value === null ? value : read(value);
}

/** Is the field left out? Go does so with what is empty, and with a zero where the field says so. */
function isOmitted(key: string, value: Json, { counts }: Section): boolean {
  return isEmpty(value) || ((value === 0 || value === 0n) && counts?.has(key) === true);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return isList(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** The elements of a list, each read as an object. */
function each(section: Section): Read {
  return (list) => {
    if (!isList(list)) return list;
    const read = (element: Json): Json => (isObject(element) ? record(element, section) : element);
    return list.every((element) => read(element) === element) ? list : list.map(read);
  };
}

const PLAIN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A time in UTC with whole seconds, as Kubernetes writes it; text that is no time stays as it is. */
function time(value: Json): Json {
  if (typeof value !== "string" || PLAIN_TIME.test(value)) return value;
  const parsed = parseTimestamp(value);
  return parsed instanceof CelError ? value : String(new Timestamp(parsed.seconds, 0));
}

/** For each unit, the factor to the next larger one. */
const UNIT_SIZES: ReadonlyMap<string, number> = new Map([
  ...["", "m", "k", "M", "G"].map((unit) => [unit, 1000] as const),
  ...["Ki", "Mi", "Gi"].map((unit) => [unit, 1024] as const),
]);

/** Is it canonical as it is, such as 500m? Without a pattern: every amount of every cluster is asked about. */
function isPlainAmount(value: Json | undefined): boolean {
  if (typeof value !== "string") return false;
  let number = 0;
  let length = 0;
  for (; length < value.length && length < 16; length++) {
    const digit = value.charCodeAt(length) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
    if (number === 0) return value === "0";
  }
  const size = UNIT_SIZES.get(value.slice(length));
  return length > 0 && length < 16 && size !== undefined && number % size !== 0;
}

/** Amounts as text in their canonical form: `8` becomes "8", `1024Mi` becomes "1Gi". */
function amounts(value: Json): Json {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.every((key) => isPlainAmount(value[key]))) return value;
  const read: Record<string, Json> = {};
  for (const key of keys) define(read, key, amount(value[key] as Json));
  return read;
}

function amount(value: Json): Json {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return value;
  const text = String(value).trim();
  const parsed = parseQuantity(text);
  return parsed instanceof CelError ? text : String(parsed);
}

/** Sets an own key, `__proto__` included. */
function define(object: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
