import { expect, test } from "vitest";
import { PLAIN, RICH, shown } from "../../../test/resolve/sample-resolution.ts";
import { request, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { Problem } from "../../model/problem.ts";
import { resolve } from "../../resolve/resolve.ts";
import { resolutionReport } from "./report.ts";

const EXPLANATION_FACTS = [
  { rule: "dependency", text: "No catalog has a package compass", subject: "compass", at: "catalog.yaml:9:2" },
  {
    rule: "subscription",
    text: "all or nothing was requested, and bridge/compass is not possible",
    subject: "compass",
  },
];
const FIXES = [{ text: "take compass from channel old", command: "plimsoll resolve --instead compass:old" }];

test("one namespace is a Resolution with the fields of docs/cli.md", () => {
  expect(resolutionReport(shown([RICH]))).toEqual({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Resolution",
    inputFindings: [],
    namespace: "bridge",
    outcome: "Partial",
    operators: [
      {
        package: "anchor",
        bundle: "anchor.v1.0.0",
        version: "1.0.0",
        channel: null,
        catalog: null,
        action: "keep",
        replaces: null,
        subscription: null,
        generatedSubscription: null,
        requiredBy: ["lantern.v2.0.0"],
        reason: "stays: no Subscription claims it",
      },
      {
        package: "lamp-oil",
        bundle: "lamp-oil.v0.3.0",
        version: "0.3.0",
        channel: "alpha",
        catalog: "harbour",
        action: "install",
        replaces: null,
        subscription: null,
        generatedSubscription: {
          name: "lamp-oil-alpha-harbour-olm",
          namespace: "bridge",
          package: "lamp-oil",
          channel: "alpha",
          source: "harbour",
          sourceNamespace: "olm",
          startingCSV: "lamp-oil.v0.3.0",
        },
        requiredBy: ["lantern.v2.0.0"],
        reason: "needed by lantern 2.0.0 for API Fuel",
      },
      {
        package: "lantern",
        bundle: "lantern.v2.0.0",
        version: "2.0.0",
        channel: "stable",
        catalog: "harbour",
        action: "update",
        replaces: "lantern.v1.2.0",
        subscription: "bridge/lantern",
        generatedSubscription: null,
        requiredBy: ["lamp-oil.v0.3.0"],
        reason: "newest reachable from 1.2.0 in channel stable",
      },
    ],
    heldBack: [
      {
        package: "lantern",
        bundle: "lantern.v1.2.0",
        available: ["lantern.v2.0.0", "lantern.v9.9.9"],
        explanation: {
          text: "Subscription bridge/keeper requires approval (installPlanApproval: Manual).\nSubscription bridge/shards requires approval (installPlanApproval: Manual).",
          facts: EXPLANATION_FACTS,
          fixes: FIXES,
        },
      },
    ],
    unsatisfied: [
      {
        subscription: "bridge/compass",
        package: "compass",
        undecided: false,
        kept: null,
        explanation: { text: "Nothing can be done here as things are.", facts: EXPLANATION_FACTS, fixes: FIXES },
      },
      {
        subscription: "bridge/sonar",
        package: "sonar",
        undecided: true,
        kept: "sonar.v1.0.0",
        explanation: {
          text: "the time limit was reached before the reason was found",
          facts: EXPLANATION_FACTS,
          fixes: FIXES,
        },
      },
    ],
    pendingApproval: [
      {
        subscriptions: ["bridge/crane"],
        changes: [
          { package: "crane", from: "crane.v1.0.0", to: "crane.v2.0.0" },
          { package: "rope", from: null, to: "rope.v1.0.0" },
        ],
        awaiting: ["winch"],
      },
    ],
    broken: [{ subject: "mast.v1.0.0", text: "mast.v1.0.0 requires sail" }],
    optionalNotMet: [
      {
        bundle: "radio.v1.0.0",
        text: 'radio.v1.0.0 would like an operator with the label weather-fax (radio.v1.0.0\'s author says: "nicer with it")',
        message: "nicer with it",
      },
    ],
    warnings: [
      {
        code: "already-broken",
        message: "keel.v1.0.0 requires caulk; this was broken before, and stays broken",
        at: "installed.yaml:2:5",
      },
      {
        code: "unknown-platform",
        message:
          "buoy.v1.0.0 needs at least Kubernetes 1.30.0, and the version of the cluster is not known: it is not enforced (--kube-version VERSION)",
        at: null,
      },
    ],
    objectives: [
      { name: "subscriptions", value: 2, proven: true },
      { name: "updates", value: 1, proven: false },
      { name: "ids", value: ["harbour/lantern.v2.0.0"], proven: false },
    ],
    proven: false,
    statistics: { conflicts: 0, propagations: 4, decisions: 1, variables: 3, clauses: 5, bundles: 1 },
  });
});

test("all namespaces are a ResolutionList, even if it is one or none", () => {
  expect(resolutionReport(shown([PLAIN], { isList: true }))).toMatchObject({
    kind: "ResolutionList",
    items: [{ kind: "Resolution", namespace: "bridge" }],
    warnings: [],
  });
  expect(resolutionReport(shown([], { isList: true }))).toMatchObject({ kind: "ResolutionList", items: [] });
});

test("the answer without runtime constraints is there only when there is one", () => {
  expect(resolutionReport(shown([PLAIN]))).not.toHaveProperty("withoutRuntimeConstraints");
  expect(resolutionReport(shown([{ ...PLAIN, withoutRuntimeConstraints: RICH }]))).toMatchObject({
    withoutRuntimeConstraints: { kind: "Resolution", outcome: "Partial" },
  });
});

test("a catalog is called by its namespace too where another has its name", () => {
  const own = { ...stocked({ bell: { "1.0.0": [] } }), namespace: "olm" };
  const problem = (...catalogs: readonly Catalog[]): Problem => scene({ catalogs, requests: [request("bell")] });
  expect(resolutionReport(shown([resolve(problem(own, { ...own, namespace: "bridge" }))]))).toMatchObject({
    operators: [{ catalog: "bridge/main" }],
  });
  expect(resolutionReport(shown([resolve(problem(own))]))).toMatchObject({ operators: [{ catalog: "main" }] });
});
