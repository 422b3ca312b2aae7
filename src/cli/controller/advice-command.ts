// Which command tries what an advice says would help? `plimsoll resolve` on the same cluster, on the same terms.

import { Command } from "commander";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import type { AdviceTerms } from "../../resolution-controller/threads.ts";
import type { Fix } from "../../resolve/resolution.ts";
import { fixCommands } from "../question/fix-command.ts";
import { withResolveOptions } from "../question/options.ts";

const known = withResolveOptions(new Command("resolve")).options;

/** The command that asks the same on the same cluster, outside of the controller. No flag makes every Subscription Manual. */
export function commandOf(problem: Problem, { hold, allOrNothing }: AdviceTerms): (fix: Fix) => string {
  const { namespace } = problem;
  const where =
    namespace === CLUSTER_SCOPE ? { flag: "--scope", value: "cluster" } : { flag: "--namespace", value: namespace };
  const terms = [
    ...hold.map((value) => ({ flag: "--hold", value })),
    ...(allOrNothing ? [{ flag: "--all-or-nothing" }] : []),
  ];
  return fixCommands({ name: "resolve", known, words: [], flags: [{ flag: "--live" }, where, ...terms] }, [problem]);
}
