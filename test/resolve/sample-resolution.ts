// An answer with everything that an answer can have, for tests of how it looks.

import type { Catalog } from "../../src/model/catalog.ts";
import type { OperatorRef } from "../../src/model/operator-ref.ts";
import { DEFAULT_OPTIONS, type Installed, type Problem, type Request } from "../../src/model/problem.ts";
import type { ShownResolutions } from "../../src/render/resolve/shown.ts";
import { flagsOf } from "../../src/render/sentence/flags.ts";
import type { ExplanationBody } from "../../src/resolve/explain/explanation-body.ts";
import { requestRef } from "../../src/resolve/member.ts";
import type { Explanation, Resolution, ResolvedOperator } from "../../src/resolve/resolution.ts";
import type { Warning } from "../../src/resolve/warning.ts";
import type { BrokenRule } from "../../src/rule/rules.ts";
import { parseVersion, type Version } from "../../src/semver/version.ts";
import { catalogOf, LANTERN } from "../catalog/lantern-catalog.ts";
import { explanationWith } from "../explanations/explanation-text.ts";

const CATALOG: Catalog = catalogOf(LANTERN);

/** As a problem has it, and as an answer names it. */
type Asked = Omit<Request, "range" | "extension">;

/** A Subscription of a package, in namespace `bridge`. */
export function request(name: string, more: Partial<Asked> = {}): Asked {
  return {
    id: `bridge/${name}`,
    name,
    priority: 0,
    package: name,
    approval: "Automatic",
    place: { source: "subscriptions.yaml", line: 3, column: 1 },
    ...more,
  };
}

function installed(name: string, version: string): Installed {
  return {
    namespace: "bridge",
    name: `${name}.v${version}`,
    package: name,
    version: parseVersion(version) as Version,
    properties: [],
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: undefined,
  };
}

/** A bundle of a package, as an answer names it. */
export function ref(name: string, version: string): OperatorRef {
  return { package: name, name: `${name}.v${version}`, version };
}

/** An operator lacks a package that it requires. */
export function requires(operator: OperatorRef, name: string): BrokenRule {
  const range = { text: ">=0.0.0", only: undefined };
  return {
    operator,
    detail: { rule: "dependency", constraint: { kind: "package", name, range }, action: "require" },
  };
}

/** A warning with this text. */
export function warned(text: string): Warning {
  return { code: "deprecated", package: "tide", text };
}

/** By default, an operator that stays. */
export function operator(name: string, version: string, more: Partial<ResolvedOperator> = {}): ResolvedOperator {
  return {
    package: name,
    name: `${name}.v${version}`,
    version,
    action: "keep",
    installed: ref(name, version),
    requiredBy: [],
    reason: { kind: "unclaimed" },
    ...more,
  };
}

function explanation(body: ExplanationBody): Explanation {
  return explanationWith(body, {
    facts: [
      {
        kind: "no-way",
        rule: "dependency",
        target: { package: "binnacle" },
        why: { kind: "no-package" },
        subject: "compass",
        place: { source: "catalog.yaml", line: 9, column: 2 },
      },
      { kind: "all-or-nothing", rule: "subscription", request: requestRef(request("compass")), subject: "compass" },
    ],
    fixes: [
      {
        namespace: "here",
        changes: [{ kind: "instead", request: { package: "compass", channel: "old" } }],
        advice: [{ kind: "instead", package: "compass", channel: "old", hadChannel: false }],
      },
    ],
  });
}

const HARBOUR = { name: CATALOG.name };

/** An answer without anything to report. */
export const PLAIN: Resolution = {
  namespace: "bridge",
  outcome: "Resolved",
  operators: [operator("buoy", "1.0.0", { request: request("buoy"), reason: { kind: "newest" } })],
  heldBack: [],
  unsatisfied: [],
  pendingApproval: [],
  broken: [],
  optionalNotMet: [],
  warnings: [],
  objectives: [{ name: "subscriptions", value: 1, proven: true }],
  proven: true,
  statistics: { conflicts: 0, propagations: 4, decisions: 1, variables: 3, clauses: 5, bundles: 1 },
};

/** An answer with something of every kind to report. */
export const RICH: Resolution = {
  ...PLAIN,
  outcome: "Partial",
  operators: [
    operator("anchor", "1.0.0", { requiredBy: ["lantern.v2.0.0"] }),
    operator("lamp-oil", "0.3.0", {
      action: "install",
      installed: undefined,
      from: { catalog: HARBOUR, channel: "alpha" },
      requiredBy: ["lantern.v2.0.0"],
      generatedSubscription: {
        name: "lamp-oil-alpha-harbour-olm",
        namespace: "bridge",
        package: "lamp-oil",
        channel: "alpha",
        source: "harbour",
        sourceNamespace: "olm",
        startingCSV: "lamp-oil.v0.3.0",
      },
      reason: {
        kind: "needed",
        by: { first: [ref("lantern", "2.0.0")], more: 0 },
        demanded: { apis: { first: ["Fuel"], more: 0 }, others: { first: [], more: 0 } },
      },
    }),
    operator("lantern", "2.0.0", {
      action: "update",
      installed: ref("lantern", "1.2.0"),
      from: { catalog: HARBOUR, channel: "stable" },
      request: request("lantern"),
      requiredBy: ["lamp-oil.v0.3.0"],
      reason: { kind: "update", from: "1.2.0", channel: "stable" },
    }),
  ],
  heldBack: [
    {
      ...ref("lantern", "1.2.0"),
      package: "lantern",
      available: [ref("lantern", "2.0.0"), { name: "lantern.v9.9.9" }],
      explanation: explanation({ kind: "waits", requests: ["keeper", "shards"].map((name) => request(name)) }),
    },
  ],
  unsatisfied: [
    {
      request: request("compass", { channel: "fast" }),
      undecided: false,
      explanation: explanation({ kind: "stuck" }),
    },
    {
      request: request("sonar", { place: undefined }),
      undecided: true,
      kept: "sonar.v1.0.0",
      explanation: explanation({ kind: "no-reason", by: "time" }),
    },
  ],
  pendingApproval: [
    {
      requests: [request("crane", { approval: "Manual" })],
      changes: [
        { package: "crane", from: { name: "crane.v1.0.0" }, to: { name: "crane.v2.0.0" } },
        { package: "rope", to: { name: "rope.v1.0.0" } },
      ],
      awaiting: ["winch"],
    },
  ],
  broken: [requires(ref("mast", "1.0.0"), "sail")],
  optionalNotMet: [
    {
      operator: ref("radio", "1.0.0"),
      detail: {
        rule: "optional",
        constraint: { kind: "label", label: "weather-fax", message: "nicer with it" },
        action: "require",
      },
    },
  ],
  warnings: [
    {
      code: "already-broken",
      rule: requires(ref("keel", "1.0.0"), "caulk"),
      fate: { kind: "stays" },
      place: { source: "installed.yaml", line: 2, column: 5 },
    },
    {
      code: "unknown-platform",
      operator: ref("buoy", "1.0.0"),
      note: { of: "Kubernetes", text: "1.30.0", why: "unknown-cluster" },
    },
  ],
  objectives: [
    { name: "subscriptions", value: 2, proven: true },
    { name: "updates", value: 1, proven: false },
    { name: "ids", value: ["harbour/lantern.v2.0.0"], proven: false },
  ],
  proven: false,
};

/** A problem of namespace `bridge`: a new request, and one for an operator that runs. */
export const PROBLEM: Problem = {
  namespace: "bridge",
  catalogs: [CATALOG],
  unavailable: [],
  requests: [request("buoy", { installed: "buoy.v1.0.0" }), request("compass")],
  installed: [installed("buoy", "1.0.0")],
  elsewhere: [],
  node: { properties: [] },
  runtime: { entries: [], problems: [] },
  targets: undefined,
  removed: [],
  gone: [],
  options: DEFAULT_OPTIONS,
};

/** What is shown of some answers; a place is where its document is. */
export function shown(resolutions: readonly Resolution[], more: Partial<ShownResolutions> = {}): ShownResolutions {
  return {
    resolutions,
    isList: false,
    warnings: [],
    at: ({ source, line, column }) => `${source}:${line}:${column}`,
    command: ({ changes }) => ["plimsoll resolve", ...changes.flatMap(flagsOf)].join(" "),
    ...more,
  };
}
