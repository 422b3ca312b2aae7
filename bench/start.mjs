// How long does the command take to start, compared with Node itself?
import { spawnSync } from "node:child_process";
import { calibrate, compare, line, ms } from "./measure.mjs";

export async function benchStart() {
  console.log("\nStarting (target: at most 2 x node -e 0)");
  const run = (...args) => {
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (status !== 0) throw new Error(`failed: ${args.join(" ")}`);
  };
  const times = await compare(
    { node: () => run("-e", "0"), plimsoll: () => run("dist/bin/plimsoll.js", "version") },
    25,
  );
  line("node -e 0", ms(times.node), `calibration loop ${ms(calibrate())}`);
  line("plimsoll version", ms(times.plimsoll));
  line("ratio", `${(times.plimsoll / times.node).toFixed(2)} x`, "<= 2.0");
}
