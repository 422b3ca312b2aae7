import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    isolate: false,
    // One beside those that mostly wait for commands that they run.
    maxWorkers: 2,
    setupFiles: ["test/property-seed.ts"],
    testTimeout: 60_000,
  },
});
