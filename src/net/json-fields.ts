// What is a field of a JSON value of unknown shape? Own keys only.

/** The field of an object; undefined if the value is no object or has none of its own. */
export function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** The field, if it is a text that is not empty. */
export function textField(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The field, if it is a list; otherwise an empty list. */
export function listField(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key);
  return Array.isArray(found) ? found : [];
}

/** The texts of the field. */
export function textsField(value: unknown, key: string): readonly string[] {
  return listField(value, key).filter((item) => typeof item === "string");
}

/** The JSON value of a text, or undefined. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
