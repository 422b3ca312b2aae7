import { expect, test } from "vitest";
import { timedPhases } from "./phases.ts";

test("each phase is printed once, with its own time", () => {
  const lines: string[] = [];
  let time = 0;
  const end = timedPhases(
    (line) => lines.push(line),
    () => time,
  );
  time = 83.4;
  end(() => "started");
  time = 96.25;
  end(() => "resolved namespace default");
  time = 97.5;
  end(() => "printed the answer");
  expect(lines).toEqual(["started in 83 ms", "resolved namespace default in 13 ms", "printed the answer in 1.3 ms"]);
});
