// What is validated in the benchmark? A schema of some 500 lines, as operators have them (a server with ports, resources,
// storage, users, listeners and a status), and objects of it, the same in every run.

const text = (more = {}) => ({ type: "string", ...more });
const integer = (minimum, maximum, more = {}) => ({ type: "integer", format: "int32", minimum, maximum, ...more });
const quantity = { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+(\\.[0-9]+)?([KMGTP]i?|m)?$" };
const labels = { type: "object", additionalProperties: text({ maxLength: 63 }), maxProperties: 64 };
const name = text({ pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63, minLength: 1 });
const object = (properties, ...required) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const listMap = (items, ...keys) => ({
  type: "array",
  maxItems: 64,
  items,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});

const RESOURCES = object({
  limits: object({ cpu: quantity, memory: quantity }),
  requests: object({ cpu: quantity, memory: quantity }),
});
const PORT = object(
  { name, port: integer(1, 65535), protocol: text({ enum: ["TCP", "UDP", "SCTP"], default: "TCP" }) },
  "name",
  "port",
);
const CONTAINER = object(
  {
    name,
    image: text({ maxLength: 255 }),
    args: { type: "array", maxItems: 32, items: text({ maxLength: 255 }) },
    ports: listMap(PORT, "port", "protocol"),
    env: listMap(object({ name: text({ maxLength: 63 }), value: text({ maxLength: 1024 }) }, "name"), "name"),
    resources: RESOURCES,
    probe: object({ path: text({ default: "/healthz" }), periodSeconds: integer(1, 3600, { default: 10 }) }),
  },
  "name",
  "image",
);
const LISTENER = object(
  {
    name,
    type: text({ enum: ["internal", "route", "loadbalancer", "nodeport"] }),
    tls: { type: "boolean", default: false },
    port: integer(1, 65535),
    cidrs: { type: "array", maxItems: 16, items: text({ format: "cidr" }), "x-kubernetes-list-type": "set" },
  },
  "name",
  "type",
  "port",
);
const CONDITION = object(
  {
    type: text({ maxLength: 316 }),
    status: text({ enum: ["True", "False", "Unknown"] }),
    reason: text({ maxLength: 1024 }),
    message: text({ maxLength: 32768 }),
    lastTransitionTime: text({ format: "date-time" }),
    observedGeneration: { type: "integer", format: "int64", minimum: 0 },
  },
  "type",
  "status",
);

/** Rules as people write them. */
const RULES = [
  { rule: "self.replicas >= self.minReplicas", message: "there are fewer replicas than the least" },
  {
    rule: "!has(self.storage) || self.listeners.all(l, l.port > 1023 || l.type == 'internal')",
    message: "low ports are internal",
  },
];

/** The schema; with rules in CEL if they are wanted. */
export function serverSchema(hasRules) {
  return object(
    {
      apiVersion: text(),
      kind: text(),
      metadata: { type: "object" },
      spec: {
        ...object(
          {
            replicas: integer(0, 1000, { default: 1 }),
            minReplicas: integer(0, 1000, { default: 0 }),
            version: text({ pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" }),
            mode: text({ enum: ["standalone", "replicated", "sharded"], default: "standalone" }),
            labels,
            annotations: labels,
            container: CONTAINER,
            sidecars: listMap(CONTAINER, "name"),
            listeners: listMap(LISTENER, "name"),
            storage: object(
              { size: quantity, class: text({ maxLength: 253 }), deleteClaim: { type: "boolean", default: false } },
              "size",
            ),
            users: listMap(
              object(
                {
                  name,
                  admin: { type: "boolean" },
                  grants: { type: "array", maxItems: 64, items: text({ enum: ["read", "write", "create", "drop"] }) },
                },
                "name",
              ),
              "name",
            ),
            backup: {
              ...object({
                schedule: text({ maxLength: 64 }),
                keep: integer(1, 100),
                ratio: { type: "number", minimum: 0, maximum: 1 },
              }),
              nullable: true,
            },
            config: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
          "version",
          "container",
        ),
        ...(hasRules && { "x-kubernetes-validations": RULES }),
      },
      status: object({ phase: text(), readyReplicas: integer(0, 1000), conditions: listMap(CONDITION, "type") }),
    },
    "spec",
  );
}

/** How many lines the schema has as JSON. */
export function linesOf(schema) {
  return JSON.stringify(schema, null, 2).split("\n").length;
}

/** Different objects, as many as given; one in a hundred is not valid. */
export function servers(count) {
  return Array.from({ length: count }, (_, index) => server(index));
}

function server(index) {
  const pick = (list) => list[index % list.length];
  const container = (called) => ({
    name: called,
    image: `registry.example.com/server/${called}:${index % 17}.${index % 5}.0`,
    args: ["--verbose", `--shard=${index % 13}`, "--listen=:8080"],
    ports: [
      { name: "http", port: 8080 },
      { name: "metrics", port: 9090 + (index % 10), protocol: pick(["TCP", "UDP"]) },
    ],
    env: [
      { name: "LEVEL", value: pick(["info", "debug", "warn"]) },
      { name: "SHARD", value: String(index % 13) },
    ],
    resources: {
      limits: { cpu: 1 + (index % 4), memory: `${1 + (index % 8)}Gi` },
      requests: { cpu: "250m", memory: "512Mi" },
    },
  });
  return {
    apiVersion: "bench.example.com/v1",
    kind: "Server",
    metadata: {
      name: `server-${index}`,
      namespace: `team-${index % 50}`,
      labels: { app: "server", shard: String(index % 13) },
    },
    spec: {
      replicas: index % 100 === 99 ? 2000 : 1 + (index % 5),
      version: `${1 + (index % 3)}.${index % 20}.${index % 7}`,
      mode: pick(["standalone", "replicated", "sharded"]),
      labels: { app: "server", tier: pick(["gold", "silver"]) },
      container: container("main"),
      sidecars: [container("proxy"), container("logger")],
      listeners: [
        { name: "plain", type: "internal", port: 9092 },
        {
          name: "outside",
          type: "loadbalancer",
          port: 9094,
          tls: true,
          cidrs: [`10.${index % 200}.0.0/16`, "192.168.0.0/24"],
        },
      ],
      storage: { size: `${10 + (index % 90)}Gi`, class: "fast" },
      users: [
        { name: "admin", admin: true, grants: ["read", "write", "create", "drop"] },
        { name: `user-${index % 30}`, grants: ["read"] },
      ],
      backup: index % 4 === 0 ? null : { schedule: "0 3 * * *", keep: 7, ratio: (index % 10) / 10 },
      config: { "log.retention.hours": 24 + (index % 100), nested: { any: ["thing", index] } },
    },
    status: {
      phase: "Running",
      readyReplicas: 1 + (index % 5),
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "AllUp",
          message: "all replicas are up",
          lastTransitionTime: "2026-01-02T03:04:05Z",
        },
        { type: "Degraded", status: "False", observedGeneration: index },
      ],
    },
  };
}
