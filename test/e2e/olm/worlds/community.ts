// What do OLM and we make of real operators? With PLIMSOLL_E2E_DATA=FOLDER, which has catalog-operatorhub.jsonl.gz, the catalog of
// OperatorHub.io. It is not part of the project: without it there are no such worlds.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { World } from "../world.ts";
import { only, withAllVersions } from "./whole-catalog.ts";

const PINNED = ["kuadrant-operator", "authorino-operator", "limitador-operator", "dns-operator"];
const BROKERS = ["strimzi-kafka-operator", "kogito-operator", "infinispan", "keycloak-operator"];

/** Worlds of the real catalog; none where it is not there. */
export function communityWorlds(folder: string | undefined = process.env.PLIMSOLL_E2E_DATA): readonly World[] {
  if (folder === undefined) return [];
  const lines = gunzipSync(readFileSync(join(folder, "catalog-operatorhub.jsonl.gz")))
    .toString("utf8")
    .split("\n");
  const all = lines.filter(Boolean).map((line) => JSON.parse(line) as JsonObject);
  const of = (packages: readonly string[]): readonly JsonObject[] =>
    withAllVersions(all.filter(({ name, package: owner }) => packages.includes(`${owner ?? name}`)));
  const brokers = of(BROKERS);
  const heads = ["strimzi-cluster-operator.v0.45.0"];
  return [
    {
      name: "kuadrant",
      says: "OperatorHub.io: kuadrant-operator pins three operators to one version each",
      hasPublicNames: true,
      catalogs: { hub: { documents: of(PINNED) } },
      subscriptions: ["kuadrant-operator/stable"],
      olm: {
        operators: [
          ...["authorino-operator.v0.13.0", "dns-operator.v0.6.0"],
          ...["kuadrant-operator.v0.11.1", "limitador-operator.v0.11.0"],
        ],
      },
      heldBack: ["authorino-operator"],
    },
    {
      name: "strimzi",
      says: "OperatorHub.io: strimzi goes up its channel",
      hasPublicNames: true,
      catalogs: { hub: { documents: brokers } },
      subscriptions: ["strimzi-kafka-operator/stable"],
      before: { catalogs: { hub: { documents: only(brokers, "stable", heads) } } },
      olm: { operators: ["strimzi-cluster-operator.v0.51.0"] },
    },
  ];
}
