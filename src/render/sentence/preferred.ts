// Why is it not this one, where no rule forbids it? What would be worse, for each objective.

import type { Preferred, WorseCandidate } from "../../resolve/explain/preferred.ts";
import { listed } from "../../text/words.ts";
import { sentence } from "./constraint.ts";
import { byName, byVersion, type Naming } from "./names.ts";
import { requestName } from "./request.ts";
import { brokenText } from "./rule.ts";

/** A clause that continues "no rule forbids it, but …". */
export function preferredText(preferred: Preferred, naming: Naming = byName): string {
  switch (preferred.objective) {
    case "subscriptions":
      return `then ${listed(preferred.requests.map(requestName))} would have no operator`;
    case "repaired":
      return `then something would stay broken that can be repaired: ${listed(preferred.rules.map((rule) => brokenText(rule, naming)))}`;
    case "updates": {
      const { operators } = preferred;
      return `then ${listed(operators.map(byVersion))} would stay as ${operators.length === 1 ? "it is" : "they are"}, and as much as possible is updated`;
    }
    case "candidates":
      return candidatesText(preferred.worse);
    case "additional": {
      const [it, them] = preferred.operators.length === 1 ? ["it", "it"] : ["all of this", "them"];
      return `nothing needs ${it}: ${listed(preferred.operators.map(byVersion))} would be installed though no request asks for ${them}`;
    }
    case "optional":
      return "then fewer wishes of operators would be fulfilled";
    case "providers": {
      const { need } = preferred;
      const order = "comes first in the order of catalogs, channels and versions";
      if (need === undefined) return `another one ${order}`;
      return `${byVersion(need.requirer)} requires ${sentence(need.demanded)}, and among those that can serve ${byVersion(need.provider)} ${order}`;
    }
    case "ids":
      return "it would be just as good, and ties are broken by name";
    case undefined:
      return "a limit was reached before the reason was found";
  }
}

function candidatesText(worse: WorseCandidate | undefined): string {
  if (worse === undefined) return "another candidate ranks first for the requests";
  const [before, after] = [worse.before, worse.after].map((one) => (one === undefined ? "nothing" : byVersion(one)));
  return `${requestName(worse.request)} gets its best candidate, and ${before} ranks before ${after}`;
}
