import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    // A file that needs crane, opm or catalogd is called catalog-….test.ts; run.mjs says why they are not there.
    exclude: process.env.PLIMSOLL_E2E_CATALOGS ? [] : ["test/e2e/catalog-*.test.ts"],
    globalSetup: ["test/e2e/shared-cluster.ts"],
    pool: "threads",
    maxWorkers: 2,
    // Only a deadlock takes this long, also on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

export default config;
