// With which code does the command exit? The contract of docs/cli.md; if several apply, the first of the list counts.

/** What the exit codes mean. */
export const EXIT = {
  yes: 0,
  no: 1,
  usage: 2,
  invalidInput: 3,
  unreachable: 4,
  undecided: 5,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const PRECEDENCE: readonly ExitCode[] = [70, 130, 2, 3, 4, 5, 1, 0];

/** The code that counts among several. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.yes;
}
