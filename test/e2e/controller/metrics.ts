// What has a controller measured until now?

import type { ControllerProcess } from "./controller-process.ts";

/** The values of all series, by their names with labels. */
export async function seriesOf(controller: ControllerProcess): Promise<Readonly<Record<string, number>>> {
  const text = await (await controller.ask("metrics", "/metrics")).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}
