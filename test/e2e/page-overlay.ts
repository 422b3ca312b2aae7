// Which overlay of deploy/placement does a page show? The file that a reader pastes.

import { readFileSync } from "node:fs";

/** The block of YAML of a page that is a Kustomization. */
export function overlayOfPage(page: string): string {
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const [overlay, ...others] = blocks.filter((block) => block.includes("kind: Kustomization"));
  if (overlay === undefined || others.length > 0) throw new Error(`${page} does not show one overlay`);
  return overlay;
}
