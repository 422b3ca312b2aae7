// Which extensions does cel-go have?
import type { Library } from "../library.ts";
import { bindingsLibrary } from "./extension/bindings.ts";
import { encodersLibrary } from "./extension/encoders.ts";
import { listsLibrary } from "./extension/lists.ts";
import { mathLibrary } from "./extension/math.ts";
import { optionalsLibrary } from "./extension/optionals.ts";
import { regexLibrary } from "./extension/regex.ts";
import { setsLibrary } from "./extension/sets.ts";
import { stringsLibrary } from "./extension/strings.ts";
import { twoVariablesLibrary } from "./extension/two-variables.ts";
import { wellKnownTypesLibrary } from "./extension/well-known-types.ts";

/** The extension libraries of cel-go. */
export const extensionLibraries: readonly Library[] = [
  optionalsLibrary,
  stringsLibrary,
  mathLibrary,
  listsLibrary,
  setsLibrary,
  encodersLibrary,
  bindingsLibrary,
  twoVariablesLibrary,
  regexLibrary,
  wellKnownTypesLibrary,
];
