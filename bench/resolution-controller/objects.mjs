// Which objects does the cluster of the bench have? Namespaces with Subscriptions of random packages of a catalog; in every second one
// some operators are installed, a few versions behind. The same in every run.

const OLM = "operators.coreos.com";
const SEED = 7;
/** The part of the Subscriptions, in every second namespace, whose operator is installed. */
const INSTALLED = 0.6;
/** How many versions an operator is behind, at most. */
const BEHIND = 5;

/** Where the collections of the bench are. */
export const PATHS = {
  resolutions: "/apis/plimsoll.dev/v1alpha1/resolutions",
  source: `/apis/${OLM}/v1alpha1/namespaces/olm/catalogsources/hub`,
  subscription: ({ namespace, name }) => `/apis/${OLM}/v1alpha1/namespaces/${namespace}/subscriptions/${name}`,
  operator: ({ namespace, name }) => `/apis/${OLM}/v1alpha1/namespaces/${namespace}/clusterserviceversions/${name}`,
};

export const namespaceName = (index) => `team-${String(index).padStart(3, "0")}`;

/** The CatalogSource of a gRPC registry. */
export const catalogSource = (address) => ({
  ...object("CatalogSource", "v1alpha1", { name: "hub", namespace: "olm" }),
  spec: { sourceType: "grpc", address, displayName: "Hub" },
  status: connectedStatus(0),
});

/** What OLM reports of a registry when it has connected to it, for the nth time. */
export const connectedStatus = (count) => ({
  connectionState: {
    lastObservedState: "READY",
    lastConnect: new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString(),
  },
});

/** The objects of all namespaces, for a catalog given as documents. */
export function objectsOf(documents, { namespaces, subscriptions }) {
  const random = generator(SEED);
  const packages = packagesOf(documents);
  return Array.from({ length: namespaces }, (_, index) => {
    const namespace = namespaceName(index);
    const chosen = shuffled(packages, random).slice(0, subscriptions);
    return [
      operatorGroup(namespace),
      ...chosen.flatMap((one) => {
        const installed = index % 2 === 0 && random() < INSTALLED ? olderBundle(one, random) : undefined;
        return [subscription(namespace, one, installed), ...(installed ? [operator(namespace, installed)] : [])];
      }),
    ];
  }).flat();
}

/** Each package with the bundles of its default channel, from the newest one back along `replaces`. */
export function packagesOf(documents) {
  const of = (schema) => documents.filter((one) => one.schema === schema);
  const bundles = new Map(of("olm.bundle").map((one) => [`${one.package} ${one.name}`, one]));
  const channels = new Map(of("olm.channel").map((one) => [`${one.package} ${one.name}`, one]));
  return of("olm.package").flatMap(({ name, defaultChannel }) => {
    const channel = channels.get(`${name} ${defaultChannel}`);
    const line = channel ? lineOf(channel).map((entry) => bundles.get(`${name} ${entry}`)) : [];
    return line.length > 0 && line.every(Boolean) ? [{ name, channel, line }] : [];
  });
}

/** Names of entries, from the head of a channel back. */
function lineOf({ entries }) {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const replaced = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
  const line = [];
  let entry = entries.find(({ name }) => !replaced.has(name));
  while (entry !== undefined && !line.includes(entry.name)) {
    line.push(entry.name);
    entry = byName.get(entry.replaces);
  }
  return line;
}

function olderBundle({ line }, random) {
  return line[Math.min(1 + Math.floor(random() * BEHIND), line.length - 1)];
}

function subscription(namespace, { name, channel }, installed) {
  const metadata = { name, namespace };
  return {
    ...object("Subscription", "v1alpha1", metadata),
    spec: { name, channel: channel.name, source: "hub", sourceNamespace: "olm", installPlanApproval: "Automatic" },
    ...(installed && { status: { installedCSV: installed.name, currentCSV: installed.name, state: "AtLatestKnown" } }),
  };
}

function operator(namespace, { name, properties }) {
  const value = (type) => properties.filter((one) => one.type === type).map((one) => one.value);
  const [{ version }] = value("olm.package");
  const annotations = { "operatorframework.io/properties": JSON.stringify({ properties }) };
  return {
    ...object("ClusterServiceVersion", "v1alpha1", { name, namespace, annotations }),
    spec: { version, displayName: name, installModes: [{ type: "OwnNamespace", supported: true }] },
    status: operatorStatus(0),
  };
}

/** The status of an operator that is installed, with another time for each count. */
export const operatorStatus = (count) => ({
  phase: "Succeeded",
  reason: "InstallSucceeded",
  lastUpdateTime: new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString(),
});

const operatorGroup = (namespace) => ({
  ...object("OperatorGroup", "v1", { name: "group", namespace }),
  spec: { targetNamespaces: [namespace] },
  status: { namespaces: [namespace] },
});

function object(kind, version, metadata) {
  return { apiVersion: `${OLM}/${version}`, kind, metadata };
}

function shuffled(list, random) {
  return list
    .map((one) => ({ one, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
}

/** Pseudo-random numbers from 0 to 1, always the same (mulberry32). */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
