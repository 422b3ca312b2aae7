// `plimsoll cel eval --batch`: what are the values of many expressions? Each line of JSON is answered with a line of JSON.

import { ExpressionBatch } from "../../expression/batch.ts";
import { UnreadableError } from "../../input/read-documents.ts";
import { batchLine } from "../../render/cel/batch-line.ts";
import { textLines } from "../../source/text-lines.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { refuse } from "../question/usage-error.ts";
import { timeOf } from "../run-time.ts";
import type { Terminal } from "../terminal.ts";
import type { CelEvalOptions } from "./options.ts";

/** Answers every line. A line that cannot be read is answered with an error and does not stop the rest. */
export async function runBatch(path: string, options: CelEvalOptions, terminal: Terminal): Promise<ExitCode> {
  const { env = "plain", compat, trace, celCostLimit, maxDocumentBytes } = options;
  const batch = new ExpressionBatch({
    ...{ env, compat, now: timeOf(options), isTraced: trace === true },
    ...{ costLimit: celCostLimit, maxLineBytes: maxDocumentBytes },
  });
  try {
    let isFirst = true;
    let answers = 0;
    for await (const raw of textLines(path, maxDocumentBytes)) {
      const line = isFirst ? raw?.replace(/^\ufeff/, "") : raw;
      isFirst = false;
      if (line !== undefined && line.trim() === "") continue;
      terminal.out(batchLine(batch.answer(line)));
      answers++;
    }
    terminal.endPhase(() => `answered ${counted(answers, "line")} of ${path}`);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return refuse(`${path} cannot be read: ${error.message}`, terminal, EXIT.unreachable);
  }
  return EXIT.yes;
}
