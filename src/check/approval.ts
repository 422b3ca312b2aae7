// Does anything change without the required approval?

import type { Problem } from "../model/problem.ts";
import type { Answer, Chosen, Violation } from "./answer.ts";
import { candidatesOf } from "./candidates.ts";
import { Selection } from "./requests.ts";

/** Changes of an answer that only requests with manual approval want. */
export function unapprovedChanges(problem: Problem, { kept, chosen }: Answer): readonly Violation[] {
  const { requests, unapproved = [], installed } = problem;
  const manual = [...requests, ...unapproved].filter(({ approval }) => approval === "Manual");
  const automatic = requests.filter(({ approval }) => approval !== "Manual");
  const isWantedAnyway = (one: Chosen): boolean =>
    automatic.some(
      (request) =>
        request.package === one.bundle.package && new Selection(candidatesOf(problem, request).bundles).has(one),
    );
  const staying = new Set(kept.map(({ name }) => name));
  const claims = (name: string): ((request: { readonly installed?: string | undefined }) => boolean) => {
    return (request) => request.installed === name;
  };
  const moved = installed.filter(
    ({ name }) => !staying.has(name) && manual.some(claims(name)) && !automatic.some(claims(name)),
  );
  const come = chosen.filter(
    (one) => manual.some((request) => request.package === one.bundle.package) && !isWantedAnyway(one),
  );
  return [...moved.map(({ name }) => `${name} moves`), ...come.map(({ bundle }) => `${bundle.name} is chosen`)].map(
    (text) => ({ rule: "subscription", text: `${text}, but that is not approved` }),
  );
}
