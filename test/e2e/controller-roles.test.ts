// What does the controller need its rights for? With the roles of deploy/placement everything works; without one of their rules it says what
// it may not do, goes on with the rest, removes nothing, and goes on by itself when it has the right again.

import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { openClient } from "./api-client.ts";
import { HOME, inEffect, rulesOf } from "./controller/account.ts";
import { becomesIdle, faultBed, leads, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { EVENTS, inNamespace, LEASES } from "./controller/kinds.ts";
import { objectsOf } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

// As OpenShift has it: an owner reference that blocks a deletion needs a right.
const faults = faultBed({ apiServerFlags: ["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"] });
const { bed, run, stopAll, changes, mark } = faults;

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const ROLES: Readonly<Record<string, string>> = {
  ClusterRole: `${RBAC}/clusterroles/plimsoll-placement`,
  Role: `${RBAC}/namespaces/${HOME.namespace}/roles/plimsoll-placement`,
};
const MANIFESTS = ["service-account", "cluster-role", "lease-role"].flatMap((name) =>
  documentsOf(`deploy/placement/${name}.yaml`),
);

/** A rule of one of the roles. */
interface Rule {
  readonly role: string;
  readonly rule: JsonObject;
  /** `GROUP/RESOURCE VERBS`, for one of the resources; or `PATHS VERBS`. */
  readonly text: string;
}

const RULES: readonly Rule[] = MANIFESTS.filter(({ kind }) => kind === "ClusterRole" || kind === "Role").flatMap(
  (role) =>
    rulesOf(role).map((rule) => {
      const { apiGroups, resources, nonResourceURLs, verbs } = rule as Readonly<Record<string, readonly string[]>>;
      return { role: `${role.kind}`, rule, text: `${nonResourceURLs ?? `${apiGroups} ${resources}`} ${verbs}` };
    }),
);

// As hardened clusters have it: no rights but those of the roles.
beforeAll(() => bed.hub.call("DELETE", `${RBAC}/clusterrolebindings/system:discovery`));

/** Changes the rules of a role; by default they are as in the manifests. */
async function grant(
  role: string,
  changed: (rules: readonly JsonObject[]) => readonly JsonObject[] = (rules) => rules,
) {
  const manifest = MANIFESTS.find(({ kind }) => kind === role) as JsonObject;
  const rules = changed(rulesOf(manifest));
  await bed.hub.call("PATCH", ROLES[role] as string, { rules });
  await inEffect(bed.hub, manifest, rules);
}

/** A Placement that is decided already, and a new one, which is to be decided. */
async function prepared(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(names(3), { labels: { on: "yes" } });
  await scope.placement("old", labelled({ on: "yes" }));
  const controller = await run("one");
  await scope.settles("old", { selected: 3 });
  expect(controller.stray).toEqual([]);
  await stopAll();
  await scope.placement("new", labelled({ on: "yes" }));
  return scope;
}

/** What a missing rule means. */
interface Effect {
  /** A part of what the log says, which names the resource. */
  readonly says: string;
  /** What is written nevertheless: everything, nothing, or what the test looks at. */
  readonly writes: "everything" | "nothing" | ((scope: Scope) => Promise<unknown>);
}

/** Waits until the new Placement says that its decisions are not written, and why. */
async function notWritten(scope: Scope, why: string): Promise<void> {
  await until("the status says so", async () => {
    const { PlacementSatisfied: satisfied } = (await scope.view("new")).conditions;
    return (satisfied?.reason === "DecisionsNotWritten" && satisfied.message.includes(why)) || undefined;
  });
}

const OCM = "cluster.open-cluster-management.io";
const KINDS =
  "managedclusters,managedclustersets,managedclustersetbindings,placements,placementdecisions,addonplacementscores";

const EFFECTS: Readonly<Record<string, Effect>> = {
  [`${OCM} ${KINDS} list,watch`]: { says: "cannot list resource", writes: "nothing" },
  "/openapi/v3,/openapi/v3/* get": { says: "the schemas of the CRDs cannot be read", writes: "everything" },
  [`${OCM} placements/status patch`]: {
    says: "placements/status",
    writes: (scope) =>
      until(
        "the decision is there",
        async () => (await scope.view("new")).slices[0]?.clusters.length === 3 || undefined,
      ),
  },
  [`${OCM} placements/finalizers update`]: {
    says: "set blockOwnerDeletion",
    writes: (scope) => notWritten(scope, "blockOwnerDeletion"),
  },
  [`${OCM} placementdecisions create,patch,delete`]: {
    says: "placementdecisions",
    writes: (scope) => notWritten(scope, "placementdecisions"),
  },
  [`${OCM} placementdecisions/status update`]: {
    says: "placementdecisions/status",
    writes: (scope) => notWritten(scope, "placementdecisions/status"),
  },
  "events.k8s.io events create,patch": { says: "events", writes: "everything" },
  "authentication.k8s.io tokenreviews create": { says: "tokenreviews", writes: "everything" },
  "authorization.k8s.io subjectaccessreviews create": { says: "subjectaccessreviews", writes: "everything" },
  "coordination.k8s.io leases get": { says: "placement-lock", writes: "nothing" },
  "apps deployments get": { says: "cluster-manager-placement-controller", writes: "nothing" },
  "coordination.k8s.io leases create": { says: "leases", writes: "nothing" },
  "coordination.k8s.io leases get,update": { says: "leases", writes: "nothing" },
};

test("with the roles of deploy/placement everything works, and no Secret is readable", async () => {
  const scope = await bed.scope("whole");
  await scope.clusters(names(120), { labels: { on: "yes" } });
  await scope.placement("p", labelled({ on: "yes" }));
  const one = await run("one");
  await scope.settles("p", { selected: 120, slices: 2 });
  for (const name of names(20, 101)) await scope.edit("cluster", name, { metadata: { labels: { on: "no" } } });
  await scope.reaches("p", { selected: 100, slices: 1 });
  await scope.mark();
  await scope.edit("decision", "p-decision-1", { metadata: { labels: { theirs: "yes" } } });
  await until("their label is gone", async () => {
    const { labels = {} } = (await scope.view("p")).slices[0] ?? {};
    return !("theirs" in labels) || undefined;
  });
  await until("events are there", async () => {
    const { items } = await bed.hub.call("GET", inNamespace(EVENTS, scope.namespace));
    return objectsOf(items).some(({ reason }) => reason === "DecisionCreate") || undefined;
  });
  const headers = { authorization: `Bearer ${bed.hub.tokens.admin}` };
  expect((await one.ask("debug", "/placements/whole/p", { headers })).status).toBe(200);
  await becomesIdle(faults);
  expect(one.log.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  const client = openClient({ server: bed.hub.server, token: await bed.tokenOf("one") });
  for (const path of ["/api/v1/secrets", `/api/v1/namespaces/${HOME.namespace}/secrets`])
    expect(await client.status(path)).toBe(403);
  client.close();
  await stopAll();
  await sameAsFreshStart(faults);
});

describe("without one of the rules", () => {
  test("every rule has an effect in this file", () => {
    expect(RULES.map(({ text }) => text).sort()).toEqual(Object.keys(EFFECTS).sort());
  });

  test.each(RULES.map((rule) => [rule.text, rule] as const))("%s", async (text, { role, rule }) => {
    const { says, writes } = EFFECTS[text] as Effect;
    const scope = await prepared(`r${RULES.findIndex((one) => one.rule === rule)}`);
    const old = (await scope.view("old")).slices;
    if (text === "coordination.k8s.io leases create")
      await bed.hub.call("DELETE", `${inNamespace(LEASES, HOME.namespace)}/${HOME.leaseName}`);
    await grant(role, (rules) => rules.filter((one) => one !== rule));
    const from = mark();
    const one = await run("one");
    try {
      const headers = { authorization: `Bearer ${bed.hub.tokens.admin}` };
      const asked = text.includes("reviews")
        ? await one.ask("debug", `/placements/${scope.namespace}/old`, { headers })
        : undefined;
      if (asked !== undefined) expect(asked.status).toBeGreaterThanOrEqual(500);
      await one.says(
        ({ level, ...line }) => (level === "warn" || level === "error") && JSON.stringify(line).includes(says),
      );
      if (writes === "nothing") {
        await staysIdle(faults, { from });
      } else if (writes === "everything") {
        await scope.reaches("new", { selected: 3 });
      } else await writes(scope);
      expect((await scope.view("old")).slices).toEqual(old);
      expect((await one.ask("health", "/livez")).status).toBe(200);
    } finally {
      await grant(role);
    }
    await scope.reaches("new", { selected: 3, reason: "AllDecisionsScheduled" });
    await leads(one);
    await scope.mark();
    await stopAll();
  });
});

describe("without the right to read one kind, from the start", () => {
  const READABLE = {
    managedclusters: "ManagedCluster",
    managedclustersets: "ManagedClusterSet",
    managedclustersetbindings: "ManagedClusterSetBinding",
    placements: "Placement",
    placementdecisions: "PlacementDecision",
    addonplacementscores: "AddOnPlacementScore",
  };

  test.each(Object.entries(READABLE))("%s", async (plural, kind) => {
    const scope = await prepared(`unread-${plural}`);
    const old = (await scope.view("old")).slices;
    await grant("ClusterRole", (rules) =>
      rules.map((rule) => {
        const { resources = [], verbs = [] } = rule as Readonly<Record<string, readonly string[]>>;
        return verbs.includes("list") ? { ...rule, resources: resources.filter((one) => one !== plural) } : rule;
      }),
    );
    const from = mark();
    const one = await run("one");
    try {
      const message = "a kind cannot be read; nothing is removed because of it";
      const line = await one.says((said) => said.message === message && said.kind === kind);
      expect(line.why).toContain(plural);
      await works(one);
      if (plural === "addonplacementscores") await scope.reaches("new", { selected: 3 });
      else {
        await staysIdle(faults, {
          from,
          isExcepted: ({ path }) => path.endsWith("/status") && path.includes("/placements/"),
        });
        expect(changes(from).filter(({ path }) => path.includes("placementdecisions"))).toEqual([]);
      }
      expect((await scope.view("old")).slices).toEqual(old);
    } finally {
      await grant("ClusterRole");
    }
    await scope.reaches("old", { selected: 3, reason: "AllDecisionsScheduled" });
    await scope.reaches("new", { selected: 3, reason: "AllDecisionsScheduled" });
    expect((await scope.view("old")).slices).toEqual(old);
    await scope.mark();
    await stopAll();
  });
});
