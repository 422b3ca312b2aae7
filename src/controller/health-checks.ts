// Is the process healthy? Named checks behind `/livez` and `/readyz`, in the text format of kube-apiserver, with
// status 503 if one fails.

import { type Answer, plainText, type Route } from "./http-server.ts";

/** Whether something is as it should be. It must not take long: a check only looks at what is known. */
export type HealthChecks = Readonly<Record<string, () => boolean>>;

/**
 * 200 `ok` if all checks pass; otherwise 503 and the names of those that fail. With `?verbose` all are listed. Why a check fails is in the
 * log, not in the answer: probes are not authenticated.
 */
export function healthRoute(name: "livez" | "readyz", checks: HealthChecks): Route {
  return {
    handle: ({ query }): Answer => {
      const results = Object.entries(checks).map(([check, passes]) => ({ check, isPassed: isPassed(passes) }));
      const failed = results.filter(({ isPassed }) => !isPassed);
      const shown = query.has("verbose") ? results : failed;
      const lines = shown.map(({ check, isPassed }) => (isPassed ? `[+]${check} ok` : `[-]${check} failed`));
      const verdict = failed.length > 0 ? `${name} check failed` : query.has("verbose") ? `${name} check passed` : "ok";
      return plainText(failed.length > 0 ? 503 : 200, [...lines, verdict].join("\n"));
    },
  };
}

function isPassed(passes: () => boolean): boolean {
  try {
    return passes();
  } catch {
    return false;
  }
}
