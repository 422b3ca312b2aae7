// Which libraries exist?
import type { Library } from "../library.ts";
import { extensionLibraries } from "./extension-libraries.ts";
import { kubernetesLibraries } from "./kubernetes-libraries.ts";
import { standardLibrary } from "./standard/standard.ts";

/** All libraries that an expression can use at once. */
export const everyLibrary: readonly Library[] = /* @__PURE__ */ allOf();

/** Called, so that a bundler can leave out the libraries of Kubernetes where they are not used. */
function allOf(): readonly Library[] {
  return [standardLibrary, ...extensionLibraries, ...kubernetesLibraries];
}
