// What is in a case? The compact notation of the files beside this one. A key that is not part of it is a mistake and
// fails the test, so that no expectation is lost by a slip of the pen.

import type { Property } from "../../../src/model/catalog.ts";
import { isList, isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { ResolveOptions } from "../../../src/model/problem.ts";
import type { Outcome } from "../../../src/resolve/resolution.ts";
import { caseDocuments } from "../../case-documents.ts";

/** An API: a number n means group gn, version vn and kind kn (1: g/v/k), a text is `group/version/kind`. */
export type Api = number | string;

/** A bundle of a catalog. */
export interface BundleLine {
  /** `name@version`; without a version it is in the name: `a.v2` is 2.0.0. */
  readonly bundle: string;
  /** `package/channel`, with * behind the default channel, or a list of them; by default `a.v2` is of a/alpha. */
  readonly of?: string | readonly string[];
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly range?: string;
  /** APIs that it provides. */
  readonly gives?: Api | readonly Api[];
  /** An API (`olm.gvk.required`), or `package range` (`olm.package.required`). */
  readonly needs?: Api | readonly Api[];
  /** Values of `olm.constraint`. */
  readonly constraints?: readonly JsonObject[];
  readonly properties?: readonly Property[];
  readonly deprecated?: boolean;
  /** Its objects in the catalog; without any, only its image has them. */
  readonly manifests?: readonly JsonObject[];
}

/** A catalog, `namespace/name`, or only its name if it is in no namespace. */
export interface CatalogLine {
  readonly catalog: string;
  readonly priority?: number;
  readonly bundles?: readonly BundleLine[];
  /** Further documents of a file-based catalog, as they are. */
  readonly documents?: readonly JsonObject[];
  /** Why it cannot be read. */
  readonly unavailable?: string;
}

/** A Subscription; a text is `package/channel`, or `package` if it names no channel. */
export interface SubscriptionLine {
  readonly of: string;
  readonly name?: string;
  /** `namespace/name` of the catalog, by default ns/cat. */
  readonly from?: string;
  readonly start?: string;
  readonly installed?: string;
  /** What runs or is being installed, by default what is installed. */
  readonly current?: string;
  readonly state?: string;
  readonly approval?: string;
  readonly priority?: number;
}

/** A ClusterServiceVersion. */
export interface OperatorLine {
  readonly csv: string;
  readonly namespace?: string;
  readonly gives?: Api | readonly Api[];
  readonly needs?: Api | readonly Api[];
  readonly givesByApiService?: Api | readonly Api[];
  readonly needsByApiService?: Api | readonly Api[];
  readonly phase?: string;
  readonly replaces?: string;
  readonly copied?: boolean;
  /** What the annotation with the properties of its bundle holds. */
  readonly properties?: readonly Property[];
  /** That annotation as text. */
  readonly annotation?: string;
}

/** An OperatorGroup of the namespace. */
export interface GroupLine {
  readonly targets?: readonly string[];
  readonly strategy?: string;
  readonly annotations?: JsonObject;
}

/** What must come out; what is left out must be empty, apart from `generates` and `warnings`. */
export interface Expected {
  /** `bundle`, or `bundle namespace/catalog/channel`. */
  readonly installs?: readonly string[];
  /** `old -> new`, and where the new one is from as with `installs`. */
  readonly updates?: readonly string[];
  readonly keeps?: readonly string[];
  /** Names of the Subscriptions that come with operators without a request. */
  readonly generates?: readonly string[];
  /** By name of the Subscription: texts that its explanation contains. */
  readonly unsatisfied?: { readonly [subscription: string]: readonly string[] };
  readonly undecided?: { readonly [subscription: string]: readonly string[] };
  /** By package: the bundles that would be preferred. */
  readonly heldBack?: { readonly [package_: string]: readonly string[] };
  /** By code: texts that one of the warnings of that code contains. */
  readonly warnings?: { readonly [code: string]: readonly string[] };
  readonly outcome?: Outcome;
}

/** What `plan` must make of it; what is left out must be empty, apart from `because`, `actions` and `warnings`. */
export interface ExpectedPlan {
  /** Each a list of steps; a step is a change, or a list of changes that are made together: `+new`, `old -> new`, `-old`. */
  readonly generations?: readonly (readonly (string | readonly string[])[])[];
  /** By name of the Subscription, generated ones included: what it has in the end. */
  readonly current?: { readonly [subscription: string]: string };
  /** By name of the generated Subscription: `namespace/catalog/channel startingCSV`. */
  readonly generates?: { readonly [subscription: string]: string };
  /** Texts that the reasons of joint steps contain. */
  readonly because?: readonly string[];
  /** All actions in their order, `verb kind name`. */
  readonly actions?: readonly string[];
  /** In the end, by package: texts that its explanation contains. */
  readonly heldBack?: { readonly [package_: string]: readonly string[] };
  /** In the end, by name of the Subscription: texts that its explanation contains. */
  readonly unsatisfied?: { readonly [subscription: string]: readonly string[] };
  readonly undecided?: { readonly [subscription: string]: readonly string[] };
  /** Changes that wait for approval in the end, those that are awaited together in one list. */
  readonly pending?: readonly (readonly string[])[];
  /** Names of operators that came as dependencies and that nothing requires in the end. */
  readonly orphans?: readonly string[];
  readonly warnings?: { readonly [code: string]: readonly string[] };
}

/** A case. */
export interface Case {
  readonly id: string;
  readonly says: string;
  /** Of the catalog ns/cat. */
  readonly bundles?: readonly BundleLine[];
  readonly documents?: readonly JsonObject[];
  /** The number of further, unrelated packages of one bundle. */
  readonly crowd?: number;
  readonly catalogs?: readonly CatalogLine[];
  readonly subscriptions?: readonly (string | SubscriptionLine)[];
  readonly installed?: readonly OperatorLine[];
  /** Further objects of the cluster, as they are. */
  readonly objects?: readonly JsonObject[];
  /** By default, one for all namespaces. */
  readonly groups?: readonly GroupLine[];
  /** The list in the ConfigMap of the administrator. */
  readonly runtime?: readonly Property[];
  readonly options?: Partial<ResolveOptions>;
  /** Codes of the errors that reading reports. */
  readonly findings?: readonly string[];
  readonly expect: Expected;
  /** What comes out with `--compat=olm`, if that is something else. */
  readonly compat?: Expected;
  readonly plan?: ExpectedPlan;
  /** What `plan` makes of it with `--compat=olm`, if that is something else. */
  readonly compatPlan?: ExpectedPlan;
  /** What OLM does instead, and which decision makes it different here. */
  readonly differs?: string;
}

type Keys<Line> = Readonly<Record<keyof Line, "must" | "may">>;

const BUNDLE: Keys<BundleLine> = {
  bundle: "must",
  of: "may",
  replaces: "may",
  skips: "may",
  range: "may",
  gives: "may",
  needs: "may",
  constraints: "may",
  properties: "may",
  deprecated: "may",
  manifests: "may",
};
const CATALOG: Keys<CatalogLine> = {
  catalog: "must",
  priority: "may",
  bundles: "may",
  documents: "may",
  unavailable: "may",
};
const SUBSCRIPTION: Keys<SubscriptionLine> = {
  of: "must",
  name: "may",
  from: "may",
  start: "may",
  installed: "may",
  current: "may",
  state: "may",
  approval: "may",
  priority: "may",
};
const OPERATOR: Keys<OperatorLine> = {
  csv: "must",
  namespace: "may",
  gives: "may",
  needs: "may",
  givesByApiService: "may",
  needsByApiService: "may",
  phase: "may",
  replaces: "may",
  copied: "may",
  properties: "may",
  annotation: "may",
};
const GROUP: Keys<GroupLine> = { targets: "may", strategy: "may", annotations: "may" };
const EXPECTED: Keys<Expected> = {
  installs: "may",
  updates: "may",
  keeps: "may",
  generates: "may",
  unsatisfied: "may",
  undecided: "may",
  heldBack: "may",
  warnings: "may",
  outcome: "may",
};
const PLAN: Keys<ExpectedPlan> = {
  generations: "may",
  current: "may",
  generates: "may",
  because: "may",
  actions: "may",
  heldBack: "may",
  unsatisfied: "may",
  undecided: "may",
  pending: "may",
  orphans: "may",
  warnings: "may",
};
const CASE: Keys<Case> = {
  id: "must",
  says: "must",
  bundles: "may",
  documents: "may",
  crowd: "may",
  catalogs: "may",
  subscriptions: "may",
  installed: "may",
  objects: "may",
  groups: "may",
  runtime: "may",
  options: "may",
  findings: "may",
  expect: "must",
  compat: "may",
  plan: "may",
  compatPlan: "may",
  differs: "may",
};

/** The cases of a file of YAML documents; throws where one is not in the notation. */
export function readCases(source: string, bytes: Uint8Array): readonly Case[] {
  return caseDocuments(source, bytes, caseOf);
}

function caseOf(value: JsonObject, where: string): Case {
  check(value, CASE, where);
  const at = `${where} (${value.id})`;
  checkEach(value.bundles, BUNDLE, at);
  checkEach(value.catalogs, CATALOG, at);
  for (const catalog of listOf(value.catalogs)) checkEach((catalog as JsonObject).bundles, BUNDLE, at);
  checkEach(
    listOf(value.subscriptions).filter((line) => typeof line !== "string"),
    SUBSCRIPTION,
    at,
  );
  checkEach(value.installed, OPERATOR, at);
  checkEach(value.groups, GROUP, at);
  check(value.expect, EXPECTED, at);
  if (value.compat !== undefined) check(value.compat, EXPECTED, at);
  for (const plan of [value.plan, value.compatPlan]) if (plan !== undefined) check(plan, PLAN, at);
  const isSplit = value.compat !== undefined || value.compatPlan !== undefined;
  if (isSplit && value.differs === undefined) throw new Error(`${at}: does not state why compat differs`);
  return value as unknown as Case;
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function checkEach(lines: Json | undefined, keys: Keys<never>, where: string): void {
  for (const line of listOf(lines)) check(line, keys, where);
}

function check(line: Json | undefined, keys: Readonly<Record<string, "must" | "may">>, where: string): void {
  if (!isObject(line)) throw new Error(`${where}: ${JSON.stringify(line)} is not an object`);
  for (const key of Object.keys(line))
    if (!Object.hasOwn(keys, key)) throw new Error(`${where}: the notation has no key ${key}`);
  for (const [key, how] of Object.entries(keys))
    if (how === "must" && !Object.hasOwn(line, key)) throw new Error(`${where}: ${key} is missing`);
}
