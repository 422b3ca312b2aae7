// What does an expression see of a ManagedCluster? The object as OCM's controller has it: with the fields that its type
// always has, without those that are empty, amounts and times as text. Whatever is fine already is not copied.
import { parseQuantity } from "../cel/library/kubernetes/quantity-parse.ts";
import { parseTimestamp, Timestamp } from "../cel/value/timestamp.ts";
import { CelError, type JsonMap } from "../cel/value/value.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../model/json.ts";

/** The value of the variable `managedCluster`. Fields that we do not know are left as they are. */
export function managedClusterValue(object: JsonObject): JsonMap {
  const value: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    if (key !== "apiVersion" && key !== "kind") define(value, key, object[key] as Json);
  }
  value.metadata = metadataValue(own(object, "metadata"));
  value.spec = specValue(own(object, "spec"));
  value.status = statusValue(own(object, "status"));
  return value as JsonMap;
}

type Read = (value: Json) => Json;
type Fields = Readonly<Record<string, Read>>;

/** A field that is there in any case, and what it is when nobody set it. */
type Always = Readonly<Record<string, Json>>;

const METADATA: Fields = { creationTimestamp: time, deletionTimestamp: time };
const TAINT: Fields = { timeAdded: time };
const CONDITION: Fields = { lastTransitionTime: time };
const SPEC: Fields = { taints: each(TAINT, { key: "", effect: "", timeAdded: null }) };
const STATUS: Fields = {
  allocatable: amounts,
  capacity: amounts,
  clusterClaims: each({}, {}),
  conditions: each(CONDITION, { type: "", status: "", lastTransitionTime: null, reason: "", message: "" }),
  version: (version) => record(version, {}, {}),
};

function metadataValue(metadata: Json | undefined): JsonObject {
  return record(metadata, METADATA, { creationTimestamp: null });
}

function specValue(spec: Json | undefined): JsonObject {
  return record(spec, SPEC, { hubAcceptsClient: false });
}

function statusValue(status: Json | undefined): JsonObject {
  return record(status, STATUS, { version: {}, conditions: null });
}

/** The object with what its type always has and without what is empty; the object itself where that changes nothing. */
function record(given: Json | undefined, fields: Fields, always: Always): JsonObject {
  const object = isObject(given) ? given : {};
  let changed = object !== given;
  const value: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    const before = object[key] as Json;
    const read = Object.hasOwn(fields, key) ? (fields[key] as Read) : undefined;
    const after = read === undefined || before === null ? before : read(before);
    if (after !== before) changed = true;
    if (!Object.hasOwn(always, key) && isEmpty(after)) changed = true;
    else define(value, key, after);
  }
  for (const key of Object.keys(always)) {
    if (Object.hasOwn(value, key) && value[key] !== null) continue;
    if (value[key] !== always[key]) changed = true;
    value[key] = always[key] as Json;
  }
  return changed ? value : object;
}

/** What Go leaves out where a field says so. A zero or a false is left in: no field that we know needs it gone. */
function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return isList(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** The elements of a list, each read as an object. */
function each(fields: Fields, always: Always): Read {
  return (list) => {
    if (!isList(list)) return list;
    const read = list.map((element) => (isObject(element) ? record(element, fields, always) : element));
    return read.every((element, index) => element === list[index]) ? list : read;
  };
}

const PLAIN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A time in UTC with whole seconds, as Kubernetes writes it; text that is no time stays as it is. */
function time(value: Json): Json {
  if (typeof value !== "string" || PLAIN_TIME.test(value)) return value;
  const parsed = parseTimestamp(value);
  return parsed instanceof CelError ? value : String(new Timestamp(parsed.seconds, 0));
}

/** What is written like this is canonical as it is. */
const PLAIN_AMOUNT = /^(?:\d{1,12}|[1-9]\d{0,2}(?:m|k|M|G|Ki|Mi|Gi))$/;

/** Amounts as text in their canonical form: `8` becomes "8", `1024Mi` becomes "1Gi". */
function amounts(value: Json): Json {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.every((key) => typeof value[key] === "string" && PLAIN_AMOUNT.test(value[key]))) return value;
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
