// How is a problem put together? A namespace with requests and installed operators over one catalog; nothing else is known
// of the cluster.

const NAMESPACE = "operators";

/** The problem that these requests and installed operators pose. */
export function problemOf({ catalog, requests, installed = [], options }) {
  return {
    namespace: NAMESPACE,
    catalogs: [catalog],
    unavailable: [],
    requests: requests.toSorted(byText((request) => request.id)),
    installed: installed.toSorted(byText((operator) => operator.name)),
    elsewhere: [],
    node: { properties: [] },
    runtime: { entries: [], problems: [] },
    targets: undefined,
    removed: [],
    gone: [],
    options,
  };
}

/** A request for a package, which perhaps keeps an installed operator up to date. */
export function requestFor(catalog, packageName, { installed, range } = {}) {
  return {
    id: `${NAMESPACE}/${packageName}`,
    name: packageName,
    priority: 0,
    package: packageName,
    catalog: { name: catalog.name },
    approval: "Automatic",
    ...(range !== undefined && { range }),
    ...(installed !== undefined && { installed: installed.name }),
  };
}

/** The operator that runs once a bundle was installed. */
export function installedFrom(bundle) {
  return {
    namespace: NAMESPACE,
    name: bundle.name,
    package: bundle.package,
    version: bundle.version,
    properties: bundle.properties,
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: undefined,
  };
}

/** A catalog of generated documents. */
export function catalogOf({ CatalogBuilder }, documents) {
  const builder = new CatalogBuilder({ name: "bench", priority: 0 });
  let line = 1;
  for (const document of documents) builder.add(document, { source: "made", line: line++, column: 1 });
  const catalog = builder.finish();
  if (catalog.findings.length > 0) throw new Error(`a catalog of the bench is wrong: ${catalog.findings[0].message}`);
  return catalog;
}

/** The documents of a package whose only channel goes through all its versions; the newest comes first. */
export function packageDocuments(name, versions) {
  const bundleName = ({ version }) => `${name}.v${version}`;
  const entries = versions.map((one, index) => ({
    name: bundleName(one),
    ...(index + 1 < versions.length && { replaces: bundleName(versions[index + 1]), skipRange: `<${one.version}` }),
  }));
  const bundles = versions.map((one) => ({
    schema: "olm.bundle",
    package: name,
    name: bundleName(one),
    image: `registry.example.com/${name}:v${one.version}`,
    properties: [{ type: "olm.package", value: { packageName: name, version: one.version } }, ...one.properties],
  }));
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", package: name, name: "stable", entries },
    ...bundles,
  ];
}

/** Compares by a text, bytewise for what the bench uses. */
export function byText(textOf) {
  return (a, b) => {
    const first = textOf(a);
    const second = textOf(b);
    return first < second ? -1 : first > second ? 1 : 0;
  };
}
