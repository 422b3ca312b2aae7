// What does the resolution controller need its rights for? Without one of the rules of deploy/resolution it says what it may not do, advises
// nothing wrong, and goes on by itself when it has the right again.

import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { LAMP, type StoryBundle } from "../controller/resolution-story.ts";
import { accountOf, inEffect, rulesOf } from "./controller/account.ts";
import { writeText } from "./controller/fault-audit.ts";
import { inNamespace, LEASES } from "./controller/kinds.ts";
import { until } from "./controller/until.ts";
import { NAMESPACE } from "./manifests.ts";
import { resolutionBed, resolutionOf, type Said, sameAsFreshStart, works } from "./resolution/bed.ts";
import { type Namespace, openNamespace } from "./resolution/namespace.ts";

const bed = resolutionBed(LAMP);
const [OLD] = LAMP as readonly [StoryBundle];
const UPDATE = ["update lamp.v1.1.0", "install oil.v0.1.0"];
const INSTALL = ["install lamp.v1.1.0", "install oil.v0.1.0"];
const IS_LONG = process.env.PLIMSOLL_LONG === "1";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const ACCOUNT = accountOf("resolution");
const ROLES: Readonly<Record<string, string>> = {
  ClusterRole: `${RBAC}/clusterroles/${ACCOUNT}`,
  Role: `${RBAC}/namespaces/${NAMESPACE}/roles/${ACCOUNT}`,
};
const MANIFESTS = ["cluster-role", "lease-role"].flatMap((name) => documentsOf(`deploy/resolution/${name}.yaml`));
const PATIENCE_MS = 90_000;

let deck: Namespace;
beforeAll(async () => {
  // As hardened clusters have it: no rights but those of the roles.
  for (const name of ["system:discovery", "system:public-info-viewer"])
    await bed.cluster.call("DELETE", `${RBAC}/clusterrolebindings/${name}`);
  deck = await openNamespace(bed, "deck");
  await deck.subscribe("lamp");
  await deck.install(OLD);
  await works(bed, await bed.run("one"));
  await deck.reaches(UPDATE);
});

type Rule = Readonly<Record<string, readonly string[]>>;
/** What is left of a rule; undefined: nothing. */
type Change = (rule: Rule) => JsonObject | undefined;

/** Changes the rules of the roles; by default they are as in the manifests. */
async function grant(change: Change = (rule) => rule): Promise<void> {
  for (const manifest of MANIFESTS.filter(({ kind }) => Object.hasOwn(ROLES, `${kind}`))) {
    const rules = rulesOf(manifest).flatMap((rule): readonly JsonObject[] => {
      const left = change(rule as Rule);
      return left === undefined ? [] : [left];
    });
    await bed.cluster.call("PATCH", ROLES[`${manifest.kind}`] as string, { rules });
    await inEffect(bed.cluster, manifest, rules, ACCOUNT);
  }
}

/** The rules without some resources, for some of their verbs. */
function without(resources: readonly string[], verb: string): Change {
  return (rule) => {
    const { resources: all, verbs = [] } = rule;
    if (all === undefined || !verbs.includes(verb)) return rule;
    const rest = all.filter((one) => !resources.includes(one));
    return rest.length === 0 ? undefined : { ...rule, resources: rest };
  };
}

let rounds = 0;

/** Takes rights away, starts a controller, and gives them back after the test; everything is then as it was. */
async function withChange(
  change: Change,
  look: (says: (text: string) => Promise<unknown>, late: Namespace) => Promise<void>,
) {
  await bed.stopAll();
  const name = `late-${rounds++}`;
  const late = await openNamespace(bed, name);
  await late.subscribe("lamp");
  await grant(change);
  const one = await bed.run("one");
  try {
    const says = (text: string): Promise<unknown> =>
      one.says((line) => (line.level === "warn" || line.level === "error") && JSON.stringify(line).includes(text));
    await look(says, late);
    expect((await one.ask("health", "/livez")).status).toBe(200);
  } finally {
    await grant();
  }
  await deck.reaches(UPDATE, PATIENCE_MS);
  await late.reaches(INSTALL, PATIENCE_MS);
  await deck.reaches(({ conditions }) => conditions.Degraded?.startsWith("False"), PATIENCE_MS);
  await late.unsubscribe("lamp");
  await until("its Resolution is gone", async () => (await resolutionOf(bed, name)) === undefined || undefined);
  await sameAsFreshStart(bed);
}

/** What is not read, and is not necessary: with the name of the kind in the status. */
const READ: Readonly<Record<string, string>> = {
  catalogsources: "CatalogSource",
  clusterserviceversions: "ClusterServiceVersion",
  operatorgroups: "OperatorGroup",
  operatorconditions: "OperatorCondition",
  installplans: "InstallPlan",
  clusterextensions: "ClusterExtension",
  clustercatalogs: "ClusterCatalog",
  customresourcedefinitions: "CustomResourceDefinition",
  configmaps: "ConfigMap",
};

/** What cannot be known does not lead to advice to change something, if it could be wrong. */
function isCareful(plurals: readonly string[], { advised }: Said): boolean {
  const isHarmless = plurals.every((one) => !["catalogsources", "clusterserviceversions", "configmaps"].includes(one));
  return isHarmless || advised.every((one) => !/^(?:install|update) /.test(one));
}

describe("without the right to read", () => {
  // In turn they take minutes.
  const groups = IS_LONG ? Object.keys(READ).map((one) => [one]) : [Object.keys(READ)];
  test.each(groups.map((plurals) => [plurals.join(", "), plurals] as const))(
    "%s: the status names it",
    async (_, plurals) => {
      await withChange(without(plurals, "list"), async (says) => {
        for (const plural of plurals) await says(plural);
        const said = await deck.reaches(
          ({ conditions }) =>
            plurals.every((one) => conditions.Degraded?.includes(`${READ[one]} objects cannot be read`)),
          PATIENCE_MS,
        );
        expect(said.conditions.Degraded).toMatch(/^True KindsNotRead: /);
        expect(isCareful(plurals, said), JSON.stringify(said.status)).toBe(true);
      });
    },
  );

  test.each(["subscriptions", "resolutions"])("%s: nothing is written", async (plural) => {
    const from = bed.mark();
    await withChange(without([plural], "list"), async (says) => {
      await says(plural);
      expect(bed.ownWrites(from).map(writeText)).toEqual([]);
    });
  });

  test("the version and the APIs of the server: nothing is written", async () => {
    const from = bed.mark();
    await withChange(
      (rule) => (rule.nonResourceURLs === undefined ? rule : undefined),
      async (says) => {
        await says("the version or the APIs of the server cannot be read");
        expect(bed.ownWrites(from).map(writeText)).toEqual([]);
      },
    );
  });
});

/** The rules without some verbs for a resource. */
function readOnly(resource: string): Change {
  return (rule) => {
    const { resources = [], verbs = [] } = rule;
    if (!resources.includes(resource)) return rule;
    const rest = verbs.filter((verb) => ["get", "list", "watch"].includes(verb));
    return rest.length === 0 ? undefined : { ...rule, verbs: rest };
  };
}

describe("without the right to write", () => {
  test("Resolutions: it says so, and advises where there is one", () =>
    withChange(readOnly("resolutions"), async (says, late) => {
      await says("cannot create resource");
      await deck.edit("subscriptions", "lamp", { spec: { installPlanApproval: "Manual" } });
      await deck.reaches(["keep lamp.v1.0.0"]);
      await deck.edit("subscriptions", "lamp", { spec: { installPlanApproval: "Automatic" } });
      expect(await resolutionOf(bed, late.name)).toBeUndefined();
    }));

  test("their status: it says so, and no event is sent for what is not written", () =>
    withChange(readOnly("resolutions/status"), async (says, late) => {
      await says("resolutions/status");
      expect(await late.events()).toEqual([]);
    }));

  test("events: it says so, and advises nevertheless", () =>
    withChange(readOnly("events"), async (says, late) => {
      await late.reaches(INSTALL);
      await says("events");
    }));

  test("the Lease: nothing is written", async () => {
    await bed.stopAll();
    await bed.cluster.call("DELETE", `${inNamespace(LEASES, NAMESPACE)}/${ACCOUNT}`);
    const from = bed.mark();
    await withChange(without(["leases"], "create"), async (says) => {
      await says("leases");
      expect(bed.ownWrites(from).map(writeText)).toEqual([]);
    });
  });
});
