import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest is begun first, also where it was never measured: otherwise one worker ends long after the other. */
const MAX_LENGTH = [
  "test/cases.test.ts",
  "test/docs/docs.test.ts",
  "test/remote/hostile-peers.test.ts",
  "test/explanations/explanations.test.ts",
  "test/resolve/resolve.test.ts",
  "test/library/package.test.ts",
  "test/library/pages.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = MAX_LENGTH.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? MAX_LENGTH.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // The build writes it into the command.
  define: { PLIMSOLL_VERSION: JSON.stringify("0.0.0") },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They need real servers: npm run test:e2e.
    exclude: ["node_modules", "test/e2e/**"],
    pool: "threads",
    isolate: false,
    // One beside those that mostly wait for commands that they run.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/property-seed.ts", "test/clean-up.ts"],
    // Only a deadlock takes this long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
