// Where are the servers for the tests? etcd, kube-apiserver and kubectl are in the folder of KUBEBUILDER_ASSETS, perhaps with
// kube-controller-manager, else they are built with Go from the pinned modules here; crane, opm, catalogd, OCM's placement
// controller, helm and OLM v0 are always built.
//   node test/e2e/servers/servers.mjs      prints their folders, one in each line; builds if necessary
// PLIMSOLL_TESTBED_CACHE names the cache; the default is ${XDG_CACHE_HOME:-~/.cache}/plimsoll-testbed.
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildOnce } from "./build-once.mjs";

export { NoServersError } from "./build-once.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const NAMES = ["etcd", "kube-apiserver", "kubectl"];
/** KUBEBUILDER_ASSETS may be without it, as those of setup-envtest are; then what needs it is not tested. */
const CONTROLLER_MANAGER = "kube-controller-manager";

/** The version of a module that a go.mod of a part pins. */
function pinned(part, module) {
  const text = readFileSync(join(HERE, part, "go.mod"), "utf8");
  return text.split("\n").flatMap((line) => {
    const [name, version] = line.trim().split(" ");
    return name === module && version?.startsWith("v") ? [version] : [];
  })[0];
}

/** The pinned version of Kubernetes, which the API server reports as its own. */
const VERSION = pinned("kube", "k8s.io/kubernetes");
const [, MAJOR, MINOR] = VERSION.split(/[v.]/);
const STAMP = "-X k8s.io/component-base/version";

const KUBE = {
  name: "servers",
  sources: join(HERE, "kube"),
  files: ["go.mod", "go.sum", "main.go"],
  flags: [
    "-trimpath",
    `-ldflags=-s -w ${STAMP}.gitVersion=${VERSION} ${STAMP}.gitMajor=${MAJOR} ${STAMP}.gitMinor=${MINOR} ${STAMP}.gitTreeState=clean`,
  ],
  what: `etcd, kube-apiserver and ${CONTROLLER_MANAGER} ${VERSION}`,
  takes: "6 to 18 minutes",
  without: `, and KUBEBUILDER_ASSETS is not set; install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a folder that has ${NAMES.join(", ")}`,
  binary: "servers",
  links: [...NAMES, CONTROLLER_MANAGER],
};

const REGISTRY = {
  name: "crane",
  sources: join(HERE, "registry"),
  files: ["go.mod", "go.sum"],
  flags: ["-trimpath", "-ldflags=-s -w"],
  what: `crane ${pinned("registry", "github.com/google/go-containerregistry")}`,
  takes: "half a minute",
  without: "; install Go 1.26.3 or newer, which builds crane, opm and catalogd",
};

const OPERATOR_CONTROLLER = "github.com/operator-framework/operator-controller";
const CATALOGS = {
  name: "catalog-servers",
  sources: join(HERE, "catalogs"),
  files: ["go.mod", "go.sum"],
  // Without cgo: no signatures by GPG, no file systems of container engines; and opm cannot serve a database, only files.
  flags: [
    "-trimpath",
    "-tags=containers_image_openpgp,exclude_graphdriver_btrfs,exclude_graphdriver_devicemapper",
    "-ldflags=-s -w",
  ],
  what: `opm ${pinned("catalogs", "github.com/operator-framework/operator-registry")} and catalogd ${pinned("catalogs", OPERATOR_CONTROLLER)}`,
  takes: "3 to 8 minutes",
  without: REGISTRY.without,
  copied: { module: OPERATOR_CONTROLLER, from: ["helm/olmv1/base/catalogd/crd/standard"], to: "crds" },
};

const OCM_API = "open-cluster-management.io/api";
const OCM = {
  name: "placement-controller",
  sources: join(HERE, "ocm"),
  files: ["go.mod", "go.sum", "main.go", "placement.go", "decisions.go"],
  flags: ["-trimpath", "-ldflags=-s -w"],
  what: `OCM's placement controller ${pinned("ocm", "open-cluster-management.io/ocm")} and a reader of decisions`,
  takes: "2 to 5 minutes",
  without: "; install Go 1.26.3 or newer, which builds OCM's placement controller and helm",
  binary: "ocm",
  links: ["placement", "decisions"],
  copied: {
    module: OCM_API,
    from: ["cluster/v1", "cluster/v1beta1", "cluster/v1beta2", "cluster/v1alpha1"],
    to: "crds",
    ending: ".crd.yaml",
  },
};

const HELM_VERSION = pinned("helm", "helm.sh/helm/v3");
// v0.37.0 is Kubernetes 1.37; without it, helm assumes 1.20 for `helm template`.
const [, , HELM_MINOR] = pinned("helm", "k8s.io/client-go").split(/[v.]/);
const CAPABILITIES = "-X helm.sh/helm/v3/pkg/chartutil";
const HELM = {
  name: "helm",
  sources: join(HERE, "helm"),
  files: ["go.mod", "go.sum"],
  flags: [
    "-trimpath",
    `-ldflags=-s -w -X helm.sh/helm/v3/internal/version.version=${HELM_VERSION} ${CAPABILITIES}.k8sVersionMajor=1 ${CAPABILITIES}.k8sVersionMinor=${HELM_MINOR}`,
  ],
  what: `helm ${HELM_VERSION}`,
  takes: "2 to 5 minutes",
  without: OCM.without,
};

const OPERATOR_LIFECYCLE_MANAGER = "github.com/operator-framework/operator-lifecycle-manager";
const OLM = {
  name: "olm",
  sources: join(HERE, "olm"),
  files: ["go.mod", "go.sum"],
  flags: CATALOGS.flags,
  what: `OLM's catalog-operator and olm-operator ${pinned("olm", OPERATOR_LIFECYCLE_MANAGER)}`,
  takes: "1 to 5 minutes",
  without: "; install Go 1.26.3 or newer, which builds OLM's catalog-operator and olm-operator",
  copied: { module: OPERATOR_LIFECYCLE_MANAGER, from: ["deploy/chart/crds"], to: "crds", ending: ".crd.yaml" },
  // OLM leaves the rate of its requests to the default, 5 in a second: many namespaces would wait for each other.
  edited: {
    module: "k8s.io/client-go",
    file: "rest/config.go",
    replaced: [
      ["DefaultQPS   float32 = 5.0", "DefaultQPS   float32 = 500.0"],
      ["DefaultBurst int     = 10", "DefaultBurst int     = 1000"],
    ],
  },
};

/** The folder with etcd, kube-apiserver and kubectl. Builds them if necessary. */
export async function serversFolder() {
  const assets = process.env.KUBEBUILDER_ASSETS;
  return assets ? checkedAssets(resolve(assets)) : buildOnce(KUBE);
}

/** Why the controllers of Kubernetes cannot run from a folder of servers; undefined where they can. */
export function withoutControllers(folder) {
  if (isExecutable(join(folder, CONTROLLER_MANAGER))) return undefined;
  return `KUBEBUILDER_ASSETS is ${folder}, where ${CONTROLLER_MANAGER} cannot be executed; copy it there, or unset KUBEBUILDER_ASSETS to build it with Go`;
}

/** The folder with crane: an OCI registry, and a client of it. Builds it if necessary. */
export function registryFolder() {
  return buildOnce(REGISTRY);
}

/** The folder with opm, catalogd and, in `crds`, the CRD of catalogd. Builds them if necessary. */
export function catalogServersFolder() {
  return buildOnce(CATALOGS);
}

/**
 * The folder with OCM's placement controller, a reader of decisions with OCM's SDK and, in `crds`, the CRDs of OCM's cluster API.
 * Builds it if necessary.
 */
export function ocmFolder() {
  return buildOnce(OCM);
}

/** The folder with helm. Builds it if necessary. */
export function helmFolder() {
  return buildOnce(HELM);
}

/** The folder with OLM v0: `catalog`, the catalog-operator, `olm`, the olm-operator and, in `crds`, its CRDs. Builds it if necessary. */
export function olmFolder() {
  return buildOnce(OLM);
}

function checkedAssets(folder) {
  const missing = NAMES.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length === 0) return folder;
  throw new Error(
    `KUBEBUILDER_ASSETS is ${folder}, where ${missing.join(", ")} cannot be executed; set it to a folder that has ${NAMES.join(", ")}, or unset it to build them with Go`,
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const folders = [serversFolder, registryFolder, catalogServersFolder, ocmFolder, helmFolder, olmFolder];
    for (const folder of folders) console.log(await folder());
  } catch (error) {
    console.error(`plimsoll: ${error.message}.`);
    process.exitCode = 1;
  }
}
