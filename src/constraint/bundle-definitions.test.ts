import { describe, expect, test } from "vitest";
import type { Property } from "../model/catalog.ts";
import { bundleDefinitions } from "./bundle-definitions.ts";

const manifest = (text: string): Property => ({ type: "olm.bundle.object", value: { data: btoa(text) } });

const CRD = manifest(
  JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "winches.quay.example.com" },
    spec: { group: "quay.example.com", names: { kind: "Winch", plural: "winches" }, versions: [{ name: "v1" }] },
  }),
);
const CSV = manifest(
  JSON.stringify({
    kind: "ClusterServiceVersion",
    spec: {
      customresourcedefinitions: {
        owned: [{ name: "winches.quay.example.com", version: "v1", kind: "Winch" }, { name: 7 }, "x"],
      },
    },
  }),
);

describe("the definitions of a bundle", () => {
  test("are those among its manifests, with what its ClusterServiceVersion owns", () => {
    const { definitions, owned } = bundleDefinitions([CRD, CSV]);
    expect(definitions.map(({ name, kind }) => [name, kind])).toEqual([["winches.quay.example.com", "Winch"]]);
    expect(owned).toEqual(["quay.example.com/v1/Winch"]);
    expect(bundleDefinitions([CRD, manifest('{"kind":"Deployment"}')]).isWhole).toBe(true);
  });

  test("are read once for the same properties", () => {
    const properties = [CRD];
    expect(bundleDefinitions(properties)).toBe(bundleDefinitions(properties));
    expect(bundleDefinitions([CRD]).owned).toBeUndefined();
  });

  test.each<[string, Property]>([
    ["is not base64", { type: "olm.bundle.object", value: { data: "?" } }],
    ["is not JSON", manifest('{"kind":"CustomResourceDefinition"')],
    ["is no object", manifest('["CustomResourceDefinition"]')],
    ["has no data", { type: "olm.bundle.object", value: { ref: "elsewhere" } }],
    ["nests too deep", manifest(`{"kind":"CustomResourceDefinition","spec":${"[".repeat(9000)}${"]".repeat(9000)}}`)],
  ])("a manifest that %s is ignored", (_, broken) => {
    const { definitions, isWhole } = bundleDefinitions([broken, CRD]);
    expect(definitions).toHaveLength(1);
    expect(isWhole).toBe(false);
  });
});
