// How do tests write a CustomResourceDefinition and its objects in a few words?

import type { ApiUser } from "../../src/crd/upgrade/circumstances.ts";
import type { CustomResource, CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import { definitionOf } from "../../src/model/definition-of.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** One version: its name, `served` and `storage` where they are true, and what else it has. */
export interface WrittenVersion {
  readonly flags: string;
  readonly schema?: JsonObject | undefined;
  readonly more?: JsonObject | undefined;
}

/** A definition of winches, with overrides. */
export interface WrittenDefinition {
  readonly versions: Readonly<Record<string, WrittenVersion | string>>;
  readonly apiVersion?: "v1" | "v1beta1";
  readonly stored?: readonly string[];
  readonly webhook?: boolean;
  readonly spec?: JsonObject;
  readonly names?: JsonObject;
  readonly source?: string;
}

export const GROUP = "harbour.example.com";
export const KIND = "Winch";

/** The schema of a winch whose spec has these properties. */
export function spec(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties: { spec: { type: "object", properties, ...more } } };
}

/** An unrestricted schema. */
export const PLAIN: JsonObject = spec({ brake: { type: "string" } });

/** The definition that is written. */
export function definition(written: WrittenDefinition): CustomResourceDefinition {
  const apiVersion = written.apiVersion ?? "v1";
  const versions = Object.entries(written.versions).map(([name, version]): JsonObject => {
    const { flags, schema, more }: WrittenVersion =
      typeof version === "string" ? { flags: version, schema: PLAIN } : version;
    return {
      name,
      served: /\bserved\b/.test(flags),
      storage: /\bstorage\b/.test(flags),
      ...(schema !== undefined && { schema: { openAPIV3Schema: schema } }),
      ...more,
    };
  });
  const object: JsonObject = {
    apiVersion: `apiextensions.k8s.io/${apiVersion}`,
    kind: "CustomResourceDefinition",
    metadata: { name: `winches.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind: KIND, plural: "winches", ...written.names },
      scope: "Namespaced",
      versions,
      ...(written.webhook && { conversion: { strategy: "Webhook" } }),
      ...written.spec,
    },
    ...(written.stored && { status: { storedVersions: written.stored } }),
  };
  return definitionOf(object, apiVersion, { source: written.source ?? "crd.yaml", line: 1, column: 1 });
}

/** A winch. */
export function winch(name: string, version: string, specValue: Json, namespace = "quay-north"): CustomResource {
  const apiVersion = `${GROUP}/${version}`;
  const object: JsonObject = { apiVersion, kind: KIND, metadata: { name, namespace }, spec: specValue };
  const place = { source: `${name}.yaml`, line: 1, column: 1 };
  return { place, apiVersion, group: GROUP, version, kind: KIND, namespace, name, object };
}

/** An operator that needs a version of winches. */
export function user(by: string, version: string): ApiUser {
  return { group: GROUP, kind: KIND, version, by };
}
