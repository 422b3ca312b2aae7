// Which libraries does Kubernetes add to the language?
import type { Library } from "../library.ts";
import { cidrLibrary } from "./kubernetes/cidr.ts";
import { formatLibrary } from "./kubernetes/format.ts";
import { ipLibrary } from "./kubernetes/ip.ts";
import { kubernetesListsLibrary } from "./kubernetes/lists.ts";
import { quantityLibrary } from "./kubernetes/quantity.ts";
import { kubernetesRegexLibrary } from "./kubernetes/regex.ts";
import { kubernetesSemverLibrary } from "./kubernetes/semver.ts";
import { urlLibrary } from "./kubernetes/url.ts";

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
