// Which Resolutions are shown? Those of files, or those of a cluster.

import { RESOLUTION_KEY, readResolution } from "../../input/objects/resolution.ts";
import { compareFindings, type Finding, FindingList } from "../../model/finding.ts";
import { compareNamespaced } from "../../model/problem.ts";
import type { ResolutionAdvice } from "../../model/resolution-advice.ts";
import { loadInstances } from "../../source/load-instances.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Inputs, isBroken, openFiles, watchFiles } from "../inputs.ts";
import type { Terminal } from "../terminal.ts";
import type { StatusFlags } from "./options.ts";

/** Everything that was read. */
export interface StatusInputs extends Pick<Inputs, "findings" | "codes" | "files"> {
  /** By namespace and name. */
  readonly resolutions: readonly ResolutionAdvice[];
  /** Why there may be none. */
  readonly none: string;
}

/** What happens with fields that cannot be read. */
export const SHOWN_AS_UNKNOWN = "what cannot be read is shown as unknown, or left out";

/** Reads files; no network is touched. */
export async function loadStatusFiles(flags: StatusFlags, terminal: Terminal): Promise<StatusInputs> {
  const { filename, namespace } = flags;
  const { files, progress } = openFiles(filename, flags, terminal);
  watchFiles(files, terminal);
  const given = await loadInstances(filename, new Set([RESOLUTION_KEY]), files);
  progress.end();
  const { kept, report } = new FindingList();
  const all = given.byKind.get(RESOLUTION_KEY) ?? [];
  const home = namespace ?? "default";
  const resolutions = all
    .filter((one) => namespace === undefined || (one.namespace || home) === namespace)
    .map((one) => readResolution(one, home, report))
    .sort(compareNamespaced);
  const own = [...given.findings, ...kept];
  const where = namespace === undefined || all.length === 0 ? "" : ` in namespace ${namespace}`;
  return {
    ...{ resolutions, files },
    findings: [...own, ...given.unreachable].sort(compareFindings),
    codes: [...invalidCodes(own, flags), ...(given.unreachable.length > 0 ? [EXIT.unreachable] : [])],
    none: `no Resolutions found${where} in the input`,
  };
}

/** The exit code of Resolutions that could not be read completely; what a cluster did not return has its own. */
export function invalidCodes(findings: readonly Finding[], { strictInput }: StatusFlags): readonly ExitCode[] {
  const isInvalid = findings.some((one) => isBroken(one) && (strictInput || one.code !== "PL014"));
  return isInvalid ? [EXIT.invalidInput] : [];
}
