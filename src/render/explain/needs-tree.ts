// Which operators need the subject? A tree of them, below each the operators that need it, up to the requests.

import type { RequestRef } from "../../model/operator-ref.ts";
import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import type { Loss, NeedingOperator } from "../../resolve/explain/who-needs.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { drawnTree } from "../kit/tree.ts";
import { packageText, versionText } from "../resolve/shown.ts";
import { byVersion, qualified } from "../sentence/names.ts";
import { alsoMetTexts, throughText } from "../sentence/needs.ts";
import { asksForIt, objectText } from "../sentence/request.ts";
import { brokenText } from "../sentence/rule.ts";

/** The lines of the tree, without a root: the requests for it, and the operators that need it. */
export function needsLines({ operators, whoNeeds }: SubjectExplanation, style: Style): string[] {
  const requests = operators.flatMap(({ request }) => request ?? []);
  return drawnTree<RequestRef | NeedingOperator>(
    [...requests, ...whoNeeds],
    (one) =>
      "neededBy" in one
        ? { lines: [needingText(one, style)], below: one.neededBy }
        : { lines: [safeText(asksForIt(one))], below: [] },
    style,
  );
}

/** "lantern 1.5.0 requires an operator that provides Fuel (…/v1)". */
function needingText(one: NeedingOperator, style: Style): string {
  const what = `${one.isOptional ? "would like" : "requires"} ${throughText(one)}`;
  const marks = [
    ...(one.request === undefined ? [] : [asksForIt(one.request)]),
    ...(one.isRepeated ? ["shown elsewhere in this tree"] : []),
    ...(one.alsoMetBy.length > 0 ? [`also met by ${alsoMetTexts(one).join(", ")}`] : []),
  ];
  const name = style.bold(safeText(qualified(one.namespace, byVersion(one))));
  return `${name} ${safeText(what)}${marks.length === 0 ? "" : ` ${style.dim(safeText(`(${marks.join("; ")})`))}`}`;
}

export function lossSentences({ broken, requests, changed }: Loss): readonly string[] {
  const lines = [
    ...broken.map((rule) => `breaks: ${brokenText(rule, byVersion)}`),
    ...requests.map((request) =>
      request.place === undefined
        ? `${request.package}, which you asked for, would have no operator`
        : `${objectText(request)} would have no operator`,
    ),
    ...changed.map(({ before, after }) => {
      const what = `${packageText(before)} ${versionText(before)}`;
      return after === undefined ? `${what} would go` : `${what} would be ${versionText(after)} instead`;
    }),
  ];
  return lines.length === 0 ? ["nothing would break, and no request would lose its operator"] : lines;
}
