import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { request, scene } from "../../../test/worlds/scene.ts";
import type { Change } from "../../resolve/what-if.ts";
import { askedCommand, fixCommands } from "../question/fix-command.ts";
import { wrongUsage } from "../question/flag-conflicts.ts";
import { type PlanFlags, planOptions, replayingPlan, withPlanOptions, wrongForPlan } from "./options.ts";

function parsed(words: readonly string[]): Command {
  const command = withPlanOptions(new Command("plan").argument("[PACKAGE...]"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse([...words], { from: "user" });
}

function flagsOf(...words: readonly string[]): PlanFlags {
  return parsed(words).opts<PlanFlags>();
}

describe("what the plan is to do", () => {
  test("without flags: everything, a thousand generations, and nothing is removed", () => {
    expect(planOptions(flagsOf())).toEqual({ maxGenerations: 1000, to: undefined, prune: false });
  });

  test("as the flags set them", () => {
    const { to, ...others } = planOptions(
      flagsOf("--to", "main/bell@>=2.0.0:fast", "--prune", "--max-generations", "3"),
    );
    expect(others).toEqual({ maxGenerations: 3, prune: true });
    expect(planOptions(flagsOf("--prune=with-objects")).prune).toBe("with-objects");
    expect(planOptions(flagsOf("--prune=with-objects", "--prune")).prune).toBe("with-objects");
    expect(to).toMatchObject({
      package: "bell",
      catalog: { name: "main" },
      channel: "fast",
      range: { text: ">=2.0.0" },
    });
  });

  test("a target needs no range", () => {
    expect(planOptions(flagsOf("--to", "bell")).to).toEqual({ package: "bell" });
  });
});

describe("a mistake", () => {
  test.each([
    [["--to", "Bell"], "is not the name of a package"],
    [["--to", "bell@^2"], "the operator ^ is not known"],
    [["--to", ""], "names no package"],
    [["--to", "bell", "--to", "clock"], "is given twice"],
    [["--max-generations", "0"], "a whole number above 0"],
    [["--max-generations", "-1"], "a whole number above 0"],
    [["--max-generations", "many"], "a whole number above 0"],
    [["--max-generations", "5", "--max-generations=6"], "is given twice"],
    [["-o", "tree"], "It must be one of text"],
    [["--generations", "5"], "unknown option"],
  ])("%j", (words, message) => {
    expect(() => flagsOf(...words)).toThrow(message);
  });

  test("is a lock that is no file", () => {
    expect(wrongForPlan(flagsOf("--lock", "-"))).toBe("--lock needs the path of a file, not -.");
    expect(wrongForPlan(flagsOf("--lock", "plan.lock", "--locked", "-"))).toBeUndefined();
  });

  test("is standard input for two things", () => {
    expect(wrongUsage(false, flagsOf("-f", "-", "--locked", "-"))).toContain("only once");
    expect(wrongUsage(false, flagsOf("-f", "a.yaml", "--locked", "-"))).toBeUndefined();
  });
});

test("a target is looked for in one namespace", () => {
  expect(wrongForPlan(flagsOf("--to", "bell", "-A"))).toMatch(/^--to plans for one namespace/);
  expect(wrongForPlan(flagsOf("--to", "bell", "-n", "here"))).toBeUndefined();
  expect(wrongForPlan(flagsOf("--to", "bell", "--scope", "cluster"))).toBeUndefined();
  expect(wrongForPlan(flagsOf("--compat", "olmv1"))).toMatch(/^--compat olmv1 is for resolve/);
});

describe("a fix is tried by planning again", () => {
  const WORLD = scene({ requests: [request("clock")] });

  function tried(line: string, change: Change): string {
    const words = line.split(" ");
    return fixCommands(askedCommand(parsed(words)), [WORLD])({ namespace: "here", changes: [change] });
  }

  test.each<[string, Change, string]>([
    ["-f s.yaml", { kind: "hold", package: "a" }, "-f s.yaml --hold a"],
    ["bell -f s", { kind: "drop", package: "bell" }, "-f s"],
    [
      "--to bell@2.x --max-generations 3 --prune -f s -o svg",
      { kind: "approve", package: "clock" },
      "-f s --to bell@2.x --prune --max-generations 3 --approve clock",
    ],
    ["-f s --lock new.lock --locked=old.lock", { kind: "partly" }, "-f s --partly"],
    ["-A -f s", { kind: "without-constraint", number: 2 }, "-f s -n here --without-constraint 2"],
  ])("%s, %o", (line, change, expected) => {
    expect(tried(line, change)).toBe(`plimsoll plan ${expected}`);
  });
});

test("a saved problem is planned with the flags that are not saved with it", () => {
  expect(replayingPlan(flagsOf("--hold", "a"))).toBe("plan");
  expect(replayingPlan(flagsOf("--to", "bell@>=2.0.0", "--prune", "--max-generations", "3"))).toBe(
    "plan --to 'bell@>=2.0.0' --prune --max-generations 3",
  );
  expect(replayingPlan(flagsOf("--prune=with-objects"))).toBe("plan --prune=with-objects");
});
