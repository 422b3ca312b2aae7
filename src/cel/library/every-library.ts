// Which libraries exist?
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
import { cidrLibrary } from "./kubernetes/cidr.ts";
import { formatLibrary } from "./kubernetes/format.ts";
import { ipLibrary } from "./kubernetes/ip.ts";
import { kubernetesListsLibrary } from "./kubernetes/lists.ts";
import { quantityLibrary } from "./kubernetes/quantity.ts";
import { kubernetesRegexLibrary } from "./kubernetes/regex.ts";
import { kubernetesSemverLibrary } from "./kubernetes/semver.ts";
import { urlLibrary } from "./kubernetes/url.ts";
import { standardLibrary } from "./standard/standard.ts";

/** The libraries that Kubernetes adds to the language. */
export const kubernetesLibraries: readonly Library[] = [
  kubernetesListsLibrary,
  kubernetesRegexLibrary,
  urlLibrary,
  quantityLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  kubernetesSemverLibrary,
];

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

/** All libraries that an expression can use at once. */
export const everyLibrary: readonly Library[] = [standardLibrary, ...extensionLibraries, ...kubernetesLibraries];
