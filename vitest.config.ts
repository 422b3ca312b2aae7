import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    isolate: false,
    setupFiles: ["test/property-seed.ts"],
    testTimeout: 60_000,
  },
});
