// Which questions are realistic? Three stories of the real catalog, each with a "no" that can be explained.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installedFrom, problemOf, requestFor } from "../resolve/problem.mjs";

/** The stories, each with its name and its problem; none without the real catalog. */
export async function stories({ library, options, data }) {
  const path = join(data, "catalog-operatorhub.jsonl.gz");
  if (!existsSync(path)) return [];
  const { loadCatalog, InputFiles, DEFAULT_LIMITS, parseRange } = library;
  const loaded = await loadCatalog({ name: "bench", priority: 0, path }, new InputFiles(DEFAULT_LIMITS));
  if (loaded.kind !== "loaded") throw new Error(loaded.finding.message);
  const { catalog } = loaded;
  const wanted = (name, range) => requestFor(catalog, name, range === undefined ? {} : { range: parseRange(range) });
  const running = (name, version) => installedFrom(catalog.packages.get(name).bundles.get(`${name}.v${version}`));
  const problem = (parts) => problemOf({ catalog, options, ...parts });
  const limitador = running("limitador-operator", "0.10.0");
  return [
    {
      name: "kogito-operator 0.14 and a newer strimzi",
      problem: problem({
        requests: [wanted("kogito-operator", "0.14.0"), wanted("strimzi-kafka-operator", ">0.22.1")],
      }),
    },
    {
      name: "limitador-operator beside kuadrant-operator 0.10.0",
      problem: problem({
        requests: [requestFor(catalog, "limitador-operator", { installed: limitador })],
        installed: [
          limitador,
          running("kuadrant-operator", "0.10.0"),
          running("authorino-operator", "0.12.0"),
          running("dns-operator", "0.6.0"),
        ],
      }),
    },
    {
      name: "apicurio-registry-3 on Kubernetes 1.20",
      problem: {
        ...problem({ requests: [wanted("apicurio-registry-3")] }),
        node: { properties: [{ type: "kubernetes.version", value: "1.20.0" }] },
      },
    },
  ];
}
