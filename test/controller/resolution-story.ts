// How is the reading thread of the resolution controller tested without servers and threads? With an API server in memory, a clock that a
// test moves, and engines that are called directly; catalogs are what a test says they are.

import type { LogEntry, PlanOfTerm, ReadingReport } from "../../src/controller/controller-threads.ts";
import type { RecordedEvent } from "../../src/controller/event-object.ts";
import { carryOut } from "../../src/controller/ordered-writes.ts";
import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import { packCatalog } from "../../src/input/packed/pack-catalog.ts";
import type { Catalog } from "../../src/model/catalog.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { type EngineOptions, startEngine } from "../../src/resolution-controller/engine/engine.ts";
import { startReadingThread } from "../../src/resolution-controller/reading-thread.ts";
import type {
  AdviceRequest,
  CatalogNews,
  CatalogRequest,
  EngineFunctions,
  ReadingFunctions,
} from "../../src/resolution-controller/threads.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemoryApi } from "./memory-api.ts";

const OLM = "/apis/operators.coreos.com";
export const COLLECTIONS = {
  subscriptions: `${OLM}/v1alpha1/subscriptions`,
  operators: `${OLM}/v1alpha1/clusterserviceversions`,
  sources: `${OLM}/v1alpha1/catalogsources`,
  groups: `${OLM}/v1/operatorgroups`,
  conditions: `${OLM}/v2/operatorconditions`,
  definitions: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  extensions: "/apis/olm.operatorframework.io/v1/clusterextensions",
  configMaps: "/api/v1/namespaces/olm/configmaps",
};
export const PATHS = {
  subscription: (namespace: string, name: string) => `${OLM}/v1alpha1/namespaces/${namespace}/subscriptions/${name}`,
  operator: (namespace: string, name: string) =>
    `${OLM}/v1alpha1/namespaces/${namespace}/clusterserviceversions/${name}`,
  group: (namespace: string) => `${OLM}/v1/namespaces/${namespace}/operatorgroups/group`,
  source: (name: string) => `${OLM}/v1alpha1/namespaces/olm/catalogsources/${name}`,
  resolution: (namespace: string, name = "plimsoll") =>
    `/apis/plimsoll.dev/v1alpha1/namespaces/${namespace}/resolutions/${name}`,
  definition: (kind: string) =>
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.toLowerCase()}s.story.example.com`,
  constraints: "/api/v1/namespaces/olm/configmaps/olm-runtime-constraints",
};

/** A bundle: the APIs it provides and requires are kinds of the group story.example.com. */
export interface StoryBundle {
  readonly package: string;
  readonly version: string;
  readonly replaces?: string;
  readonly provides?: readonly string[];
  readonly requires?: readonly string[];
}

/** The documents of a catalog with one channel, stable, for each package. */
export function documentsOf(bundles: readonly StoryBundle[]): readonly JsonObject[] {
  const packages = [...new Set(bundles.map((one) => one.package))];
  const gvk = (kind: string): JsonObject => ({ group: "story.example.com", version: "v1", kind });
  return packages.flatMap((name) => {
    const own = bundles.filter((one) => one.package === name);
    return [
      { schema: "olm.package", name, defaultChannel: "stable" },
      {
        schema: "olm.channel",
        package: name,
        name: "stable",
        entries: own.map(({ version, replaces }) => ({
          name: `${name}.v${version}`,
          ...(replaces !== undefined && { replaces: `${name}.v${replaces}` }),
        })),
      },
      ...own.map(({ version, provides = [], requires = [] }) => ({
        schema: "olm.bundle",
        package: name,
        name: `${name}.v${version}`,
        image: `example.com/${name}:${version}`,
        properties: [
          { type: "olm.package", value: { packageName: name, version } },
          ...provides.map((kind) => ({ type: "olm.gvk", value: gvk(kind) })),
          ...requires.map((kind) => ({ type: "olm.gvk.required", value: gvk(kind) })),
        ],
      })),
    ];
  });
}

/** What a read of a catalog brings. */
function newsOf(documents: readonly JsonObject[], known: string | undefined): CatalogNews {
  const digest = JSON.stringify(documents);
  if (digest === known) return { is: "unchanged" };
  const builder = new CatalogBuilder({ name: "story", priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "story", line: index + 1, column: 1 });
  const catalog = builder.finish();
  if (catalog.packages.size === 0) return { is: "failed", why: "nothing in it can be used" };
  return contentOf(catalog, digest, documents.length);
}

function contentOf(catalog: Catalog, digest: string, bundles: number): CatalogNews {
  const packed = packCatalog(catalog, "story");
  const bytes = new SharedArrayBuffer(packed.length);
  new Uint8Array(bytes).set(packed);
  return { is: "changed", content: { digest, prefix: "story", bytes, bundles }, way: "the story" };
}

export class ResolutionStory {
  readonly clock: ManualClock = new ManualClock();
  readonly api: MemoryApi = new MemoryApi(this.clock);
  /** What each CatalogSource serves; a text is the reason why it cannot be read. */
  readonly served: Map<string, Catalog | readonly JsonObject[] | string> = new Map();
  readonly recorded: RecordedEvent[] = [];
  readonly logged: LogEntry[] = [];
  readonly reports: ReadingReport[] = [];
  /** Called before an engine answers for a namespace, and waited for; what it throws ends the engine. */
  onAdvise: (namespace: string) => void | Promise<void> = () => undefined;
  /** Called before an engine reads a catalog, and waited for; what it throws ends the engine. */
  onRead: (name: string) => void | Promise<void> = () => undefined;
  /** Milliseconds that an engine searches; negative: the time is over at once. */
  limit = 10_000;
  /** API groups whose server does not answer. */
  silentGroups: readonly string[] = [];
  /** The command that tries a fix. */
  commandOf: EngineOptions["commandOf"] =
    (_problem, { hold }) =>
    () =>
      ["resolve", ...hold.map((name) => `--hold ${name}`)].join(" ");
  /** How often catalogs were read. */
  reads = 0;
  enginesStarted = 0;
  #thread: ReadingFunctions | undefined;

  /** A process that leads. */
  start(): void {
    this.#thread = startReadingThread({
      server: Object.assign(Object.create(this.api) as MemoryApi, {
        get: async (path: string) => (path === "/version" ? '{"gitVersion":"v1.31.2"}' : this.#discovery(path)),
      }) as never,
      setting: {
        connection: { asGroups: [] },
        version: "0",
        namespace: "plimsoll-system",
        configMap: { namespace: "olm", name: "olm-runtime-constraints" },
        resolveWorkers: 2,
        insecureRegistry: [],
        catalogPeriod: 300_000,
        writesAtOnce: 4,
      },
      clock: this.clock,
      random: () => 0.5,
      writing: () => ({ call: (name: string, argument: unknown) => this.#answer(name, argument) }) as never,
      startEngine: (onEnd) => this.#engine(onEnd),
    });
    this.#thread.lead(1);
  }

  /** Another process takes over. */
  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  async stop(): Promise<void> {
    const stopped = this.#thread?.stop();
    // A write that is under way ends first.
    await this.clock.pass(1000);
    await stopped;
    if (this.api.mistakes.length > 0) throw new Error(this.api.mistakes[0]);
  }

  /** Lets time pass until nothing is written any more. */
  async settle(): Promise<void> {
    for (let quiet = 0, rounds = 0; quiet < 3; rounds++) {
      const before = this.api.writes.length;
      if (rounds === 100) throw new Error(`writing does not end, the last write is ${this.api.writes.at(-1)}`);
      await this.clock.pass(1500);
      quiet = this.api.writes.length === before ? quiet + 1 : 0;
    }
  }

  serve(name: string, bundles: readonly StoryBundle[] | string): void {
    this.served.set(name, typeof bundles === "string" ? bundles : documentsOf(bundles));
  }

  putSource(name: string, spec: JsonObject = { sourceType: "grpc", address: `${name}:50051` }, status = {}): void {
    this.api.put(PATHS.source(name), {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "CatalogSource",
      metadata: { name, namespace: "olm" },
      spec,
      status,
    });
  }

  subscribe(namespace: string, name: string, more: JsonObject = {}, status: JsonObject = {}): void {
    this.api.put(PATHS.group(namespace), {
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { name: "group", namespace },
      spec: {},
    });
    this.api.put(PATHS.subscription(namespace, name), {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { name, namespace },
      spec: { name, channel: "stable", source: "harbour", sourceNamespace: "olm", ...more },
      status,
    });
  }

  /** Installs an operator as OLM does, and records it in its Subscription. */
  install(namespace: string, one: StoryBundle, status: JsonObject = { phase: "Succeeded" }): void {
    const name = `${one.package}.v${one.version}`;
    const { provides = [], requires = [] } = one;
    const definition = (kind: string): JsonObject => ({
      name: `${kind.toLowerCase()}s.story.example.com`,
      version: "v1",
      kind,
    });
    this.api.put(PATHS.operator(namespace, name), {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "ClusterServiceVersion",
      metadata: { name, namespace },
      spec: {
        version: one.version,
        customresourcedefinitions: { owned: provides.map(definition), required: requires.map(definition) },
      },
      status,
    });
    if (this.api.object(PATHS.subscription(namespace, one.package)) !== undefined)
      this.api.patch(PATHS.subscription(namespace, one.package), {
        status: { installedCSV: name, currentCSV: name },
      });
  }

  /** The CRD of a kind. */
  define(kind: string, stored: readonly string[] = ["v1"]): void {
    const plural = `${kind.toLowerCase()}s`;
    const schema = { openAPIV3Schema: { type: "object" } };
    this.api.put(PATHS.definition(kind), {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.story.example.com` },
      spec: {
        group: "story.example.com",
        names: { kind, plural },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
      status: { storedVersions: stored },
    });
  }

  putConstraints(properties: string): void {
    this.api.put(PATHS.constraints, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "olm-runtime-constraints", namespace: "olm" },
      data: { properties },
    });
  }

  /** The status of a Resolution. */
  status(namespace: string, name?: string): JsonObject {
    return partOf(this.api.object(PATHS.resolution(namespace, name)) ?? {}, "status");
  }

  /** A condition of a Resolution: its status, reason and message. */
  condition(namespace: string, type: string, name?: string): string {
    const conditions = (own(this.status(namespace, name), "conditions") ?? []) as readonly JsonObject[];
    const found = conditions.find((one) => one.type === type);
    return found === undefined ? "none" : `${found.status} ${found.reason}: ${found.message}`;
  }

  /** What is advised for each operator: `install lamp.v1.0.0`. */
  advised(namespace: string): readonly string[] {
    const operators = (own(this.status(namespace), "operators") ?? []) as readonly JsonObject[];
    return operators.map(({ action, bundle }) => `${action} ${bundle}`);
  }

  /** The value of a metric of the reading thread, with its labels as they are printed. */
  metric(name: string): number {
    const text = (this.#thread as ReadingFunctions).metrics().text;
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`there is no metric ${name}`);
    return Number(line.split(" ").at(-1));
  }

  /** What other runtime constraints would do. */
  radius(text: string): Promise<string | undefined> {
    return (this.#thread as ReadingFunctions).radius({ text });
  }

  /** How often a namespace was resolved. */
  get resolves(): number {
    return this.metric('plimsoll_resolves_total{result="answered"}');
  }

  #engine(onEnd: (error: Error) => void) {
    this.enginesStarted++;
    const limitOf = (): number => this.limit;
    const functions: EngineFunctions = {
      ...startEngine({
        version: "0",
        configMap: { namespace: "olm", name: "olm-runtime-constraints" },
        position: {
          isInside: true,
          namespace: undefined,
          isOfClusterScope: false,
          server: "",
          proxied: () => {
            throw new Error("catalogs are not read over the network");
          },
        },
        remote: async () => {
          throw new Error("catalogs are not read over the network");
        },
        commandOf: (problem, terms) => this.commandOf(problem, terms),
        get limit() {
          return limitOf();
        },
        now: () => this.clock.monotonic(),
      }),
      read: async (request) => this.#read(request),
    };
    let isOver = false;
    return {
      call: async (name: keyof EngineFunctions, argument: never) => {
        if (isOver) throw new Error("the engine is over");
        if (name === "advise" || name === "read")
          try {
            if (name === "advise") await this.onAdvise((argument as AdviceRequest).namespace);
            else await this.onRead((argument as CatalogRequest).name);
          } catch (error) {
            isOver = true;
            onEnd(error as Error);
            throw error;
          }
        return functions[name](structuredClone(argument));
      },
      end: () => {
        isOver = true;
      },
    } as never;
  }

  #discovery(path: string): string {
    const groups = path === "/apis" ? this.silentGroups : [];
    const items = groups.map((name) => ({ metadata: { name }, versions: [{ version: "v1", freshness: "Stale" }] }));
    return JSON.stringify({ kind: "APIGroupDiscoveryList", items });
  }

  #read({ name, known }: CatalogRequest): CatalogNews {
    this.reads++;
    const served = this.served.get(name) ?? "it does not answer";
    if (typeof served === "string") return { is: "failed", why: served };
    return "packages" in served ? contentOf(served, name, 0) : newsOf(served, known);
  }

  async #answer(name: string, argument: unknown): Promise<unknown> {
    if (name === "log") this.logged.push(argument as LogEntry);
    if (name === "report") this.reports.push(argument as ReadingReport);
    if (name === "record") this.recorded.push(...(argument as readonly RecordedEvent[]));
    if (name !== "carryOut") return undefined;
    const fence = { mayWrite: () => true, writeTimeout: 4000 };
    return carryOut((argument as PlanOfTerm).writes, { server: this.api, fence });
  }
}

export const LAMP: readonly StoryBundle[] = [
  { package: "lamp", version: "1.0.0", provides: ["Lamp"] },
  { package: "lamp", version: "1.1.0", replaces: "1.0.0", provides: ["Lamp"], requires: ["Oil"] },
  { package: "oil", version: "0.1.0", provides: ["Oil"] },
];

/** A story with the catalog harbour. */
export function harbour(bundles: readonly StoryBundle[] = LAMP): ResolutionStory {
  const story = new ResolutionStory();
  story.serve("harbour", bundles);
  story.putSource("harbour");
  return story;
}

/** A story that goes on: the namespace `deck` requests the lamp, and has its advice. */
export async function lampRequested(bundles?: readonly StoryBundle[]): Promise<ResolutionStory> {
  const story = harbour(bundles);
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  return story;
}
