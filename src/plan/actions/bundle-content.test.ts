import { describe, expect, test } from "vitest";
import { bundleIn, catalogWith, csv, object, packageOf } from "../../../test/plan/plan-step.ts";
import type { Property } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import { type BundleContent, contentOf } from "./bundle-content.ts";

const raw = (text: string): Property => ({ type: "olm.bundle.object", value: { data: btoa(text) } });

function content(...parts: readonly (JsonObject | Property)[]): BundleContent {
  return contentOf(bundleIn(catalogWith(packageOf("winch", { "1.0.0": parts })), "winch.v1.0.0"), "quay");
}

function names(...parts: readonly (JsonObject | Property)[]): readonly string[] {
  return content(...parts).objects.map(({ kind, name }) => `${kind} ${name}`);
}

const granting = (install: JsonObject): JsonObject => csv("winch.v1.0.0", { install: { spec: install } });
const RULE = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const OTHER = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] };

describe("permissions", () => {
  test("become ServiceAccount, Role, RoleBinding, ClusterRole and ClusterRoleBinding (OLM case E40)", () => {
    const { objects } = content(
      granting({
        permissions: [{ serviceAccountName: "sa", rules: [RULE] }],
        clusterPermissions: [{ serviceAccountName: "sa", rules: [OTHER] }],
      }),
    );
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const metadata = { name: "winch.v1.0.0-sa", namespace: "quay" };
    const ofCluster = { name: "winch.v1.0.0-sa" };
    const subjects = [{ kind: "ServiceAccount", name: "sa", namespace: "quay" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", name: "winch.v1.0.0-sa" };
    expect(objects.map(({ manifest }) => manifest)).toEqual([
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa", namespace: "quay" } },
      { apiVersion, kind: "Role", metadata, rules: [RULE] },
      { apiVersion, kind: "RoleBinding", metadata, subjects, roleRef: { ...roleRef, kind: "Role" } },
      { apiVersion, kind: "ClusterRole", metadata: ofCluster, rules: [OTHER] },
      {
        apiVersion,
        kind: "ClusterRoleBinding",
        metadata: ofCluster,
        subjects,
        roleRef: { ...roleRef, kind: "ClusterRole" },
      },
    ]);
  });

  test("of the service account default need no ServiceAccount (OLM case E41)", () => {
    expect(names(granting({ permissions: [{ serviceAccountName: "default", rules: [RULE] }] }))).toEqual([
      "Role winch.v1.0.0-default",
      "RoleBinding winch.v1.0.0-default",
    ]);
  });

  test("of one service account are one Role", () => {
    const entry = (rule: JsonObject): JsonObject => ({ serviceAccountName: "sa", rules: [rule] });
    const { objects } = content(granting({ permissions: [entry(RULE), entry(OTHER)] }));
    expect(objects.map(({ kind }) => kind)).toEqual(["ServiceAccount", "Role", "RoleBinding"]);
    expect(objects[1]?.manifest.rules).toEqual([RULE, OTHER]);
  });

  test("do not repeat an object that the bundle has itself", () => {
    const stated = { ...object("ServiceAccount", "sa"), automountServiceAccountToken: false };
    const { objects } = content(granting({ clusterPermissions: [{ serviceAccountName: "sa" }] }), stated);
    expect(objects.filter(({ kind }) => kind === "ServiceAccount").map(({ manifest }) => manifest)).toEqual([stated]);
  });

  test.each<[string, JsonObject]>([
    ["no list", { permissions: { serviceAccountName: "sa" } }],
    ["entries that are none", { permissions: [null, "sa", 7, []] }],
    ["no account", { permissions: [{ rules: [RULE] }, { serviceAccountName: "" }, { serviceAccountName: 7 }] }],
  ])("that make no sense are ignored: %s", (_, install) => {
    expect(names(granting(install))).toEqual([]);
  });

  test("may name an account like a member of every object", () => {
    const text = JSON.stringify(granting({ permissions: [{ serviceAccountName: "__proto__", rules: [RULE] }] }));
    expect(names(raw(text))).toContain("ServiceAccount __proto__");
  });
});

describe("the content of a bundle", () => {
  test("is what its manifests describe, in any group", () => {
    const {
      csv: own,
      objects,
      isWhole,
    } = content(csv("winch.v1.0.0"), object("RoleBinding", "extra", "rbac.authorization.k8s.io/v1"), {
      kind: "Service",
      metadata: { name: "api" },
    });
    expect(own?.name).toBe("winch.v1.0.0");
    expect(objects).toMatchObject([
      { kind: "RoleBinding", group: "rbac.authorization.k8s.io", name: "extra" },
      { kind: "Service", group: "", name: "api" },
    ]);
    expect(isWhole).toBe(true);
  });

  test("has one ClusterServiceVersion: the one of its name, or else the first", () => {
    expect(content(csv("stranger"), csv("winch.v1.0.0")).csv?.name).toBe("winch.v1.0.0");
    expect(names(csv("stranger"), csv("winch.v1.0.0"))).toEqual(["ClusterServiceVersion stranger"]);
    expect(content(csv("stranger"), csv("guest")).csv?.name).toBe("stranger");
  });

  test("is not whole without it, without any manifest, or with one that cannot be read", () => {
    expect(content()).toEqual({ csv: undefined, objects: [], unreadable: 0, isWhole: false });
    expect(content(object("Service", "api")).isWhole).toBe(false);
  });

  test.each<[string, Property]>([
    ["is not JSON", raw("{")],
    ["is no object", raw('["Service"]')],
    ["has no kind", raw('{"metadata":{"name":"x"}}')],
    ["has a kind that is no text", raw('{"kind":{"toString":1}}')],
    ["nests too deep", raw(`{"kind":"Service","spec":${"[".repeat(9000)}${"]".repeat(9000)}}`)],
  ])("counts a manifest that %s as unreadable", (_, broken) => {
    const { objects, unreadable, isWhole } = content(csv("winch.v1.0.0"), broken, object("Service", "api"));
    expect(objects.map(({ name }) => name)).toEqual(["api"]);
    expect([unreadable, isWhole]).toEqual([1, false]);
  });

  test.each([{ data: "?" }, { ref: "elsewhere" }, "data"])("counts %j as unreadable", (value) => {
    const bundle = bundleIn(catalogWith(packageOf("winch", { "1.0.0": [] })), "winch.v1.0.0");
    expect(contentOf({ ...bundle, properties: [{ type: "olm.bundle.object", value }] }, "quay").unreadable).toBe(1);
  });

  test("may have no name, and odd parts", () => {
    expect(names(csv("winch.v1.0.0"), raw('{"kind":"Service","metadata":[]}'))).toEqual(["Service "]);
    expect(names(raw('{"kind":"ClusterServiceVersion","spec":"none"}'))).toEqual([]);
  });

  test("is read once", () => {
    const bundle = bundleIn(catalogWith(packageOf("winch", { "1.0.0": [csv("winch.v1.0.0")] })), "winch.v1.0.0");
    expect(contentOf(bundle, "a").csv?.manifest).toBe(contentOf(bundle, "b").csv?.manifest);
  });
});
