// How are values written as base64 or JSON, and read back?

import { largest, upTo } from "../../cost/range.ts";
import { globalFunction, type Library, type Running } from "../../library.ts";
import { BYTES, DYN, STRING } from "../../type.ts";
import { Bytes } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { CelError, type Result } from "../../value/value.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { encodeJson } from "./json.ts";

function decode(text: string, running: Running): Result {
  running.allocate(text.length);
  const bytes = decodeBase64(text);
  return bytes === undefined ? new CelError(() => `${describeValue(text)} is not base64`) : new Bytes(bytes);
}

function encode(bytes: Bytes, running: Running): Result {
  running.allocate(2 * bytes.value.length);
  return encodeBase64(bytes.value);
}

/** `base64.decode`, `base64.encode`, `json.encode` */
export const encodersLibrary: Library = {
  name: "encoders",
  functions: [
    globalFunction("base64.decode", "base64_decode_string", [STRING], BYTES, decode, {
      estimate: (args) => upTo(1, largest(args, 0)),
    }),
    globalFunction("base64.encode", "base64_encode_bytes", [BYTES], STRING, encode, {
      estimate: (args) => upTo(1, Math.ceil(largest(args, 0) / 3) * 4),
    }),
    globalFunction("json.encode", "json_encode_dyn", [DYN], STRING, encodeJson, {
      estimate: () => upTo(1, Number.POSITIVE_INFINITY),
    }),
  ],
};
