import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  // The build writes it into the command.
  define: { PLIMSOLL_VERSION: JSON.stringify("0.0.0") },
  test: {
    include: ["test/e2e/**/*.test.ts"],
    // The name of a file says what it needs besides an API server; run.mjs says why it is not there. catalog-….test.ts and
    // resolution-….test.ts: crane, opm, catalogd; controller-….test.ts and deploy-….test.ts: OCM's placement controller, helm;
    // ….beside-olm.test.ts: OLM v0, opm.
    exclude: [
      ...(process.env.PLIMSOLL_E2E_CATALOGS ? [] : ["test/e2e/catalog-*.test.ts", "test/e2e/resolution-*.test.ts"]),
      ...(process.env.PLIMSOLL_E2E_OCM ? [] : ["test/e2e/controller-*.test.ts", "test/e2e/deploy-*.test.ts"]),
      ...(process.env.PLIMSOLL_E2E_OLM && process.env.PLIMSOLL_E2E_CATALOGS ? [] : ["test/e2e/*-beside-olm.test.ts"]),
    ],
    globalSetup: ["test/e2e/shared-cluster.ts"],
    pool: "threads",
    // Half of the time the tests wait for a server: on two cores a third file makes use of it.
    maxWorkers: 3,
    // Only a deadlock takes this long, also on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

export default config;
