// What is in `plimsoll/cel`? CEL only.

export { type Compilation, type CompileOptions, compile } from "./cel/compile.ts";
export { type Environment, type EnvironmentOptions, environment } from "./cel/environment.ts";
export { everyLibrary } from "./cel/library/every-library.ts";
export { parseTimestamp, Timestamp } from "./cel/value/timestamp.ts";
