import { Command } from "commander";
import { expect, test } from "vitest";
import { type ControllerFlags, leaseNameOf, withControllerOptions, wrongForController } from "./options.ts";

function flagsOf(...given: readonly string[]): ControllerFlags {
  const command = withControllerOptions(new Command());
  return command.parse(["--controllers", "placement", ...given], { from: "user" }).opts();
}

test("each controller has a Lease of its own name, unless there is another one", () => {
  expect(leaseNameOf("placement", flagsOf())).toBe("plimsoll-placement");
  expect(leaseNameOf("placement", flagsOf("--lease-name", "mine"))).toBe("mine");
});

test("the name of a Lease is of a single controller", () => {
  const named = flagsOf("--lease-name", "mine");
  expect(wrongForController(named)).toBeUndefined();
  const several: ControllerFlags = { ...named, controllers: ["placement", "placement"] };
  expect(wrongForController(several)).toMatch(/^--lease-name is the name of one Lease/);
  const { leaseName: _, ...unnamed } = several;
  expect(wrongForController(unnamed)).toBeUndefined();
});

test("a controller that is named twice runs once", () => {
  const twice = withControllerOptions(new Command()).parse(["--controllers", "placement, placement"], { from: "user" });
  expect(twice.opts().controllers).toEqual(["placement"]);
});
