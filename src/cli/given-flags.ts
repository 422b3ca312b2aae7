// Which flags are on the command line? As its parser found them, with their values as they were written.

import type { Command } from "commander";

/** A flag that was given. */
export interface GivenFlag {
  /** Its long name: `--catalog`. */
  readonly flag: string;
  /** Nothing for a flag without a value. */
  readonly value?: string | undefined;
}

const GIVEN = new WeakMap<Command, GivenFlag[]>();

/** Records the flags of a command while it is parsed. A flag of one value that is given twice is a usage error. */
export function recordFlags(command: Command): Command {
  const given: GivenFlag[] = [];
  GIVEN.set(command, given);
  for (const option of command.options) {
    const flag = option.long ?? option.flags;
    // The value of a repeatable flag starts as a list or an object that values are added to.
    const isRepeatable = typeof option.defaultValue === "object";
    command.on(`option:${option.name()}`, (value: string | undefined) => {
      const isGiven = given.some((one) => one.flag === flag);
      if (isGiven && option.required && !isRepeatable)
        command.error(`error: option '${option.flags}' is given twice; leave one of them out.`);
      if (!isGiven || isRepeatable) given.push(option.required ? { flag, value } : { flag });
    });
  }
  return command;
}

/** The flags that a command was given, in their order. */
export function givenFlags(command: Command): readonly GivenFlag[] {
  return GIVEN.get(command) ?? [];
}
