// Which overlay of deploy/ does a page show? The file that a reader pastes.

import { readFileSync } from "node:fs";

/** The block of YAML of a page that is a Kustomization; of several, the one with this folder among its resources. */
export function overlayOfPage(page: string, base = ""): string {
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const [overlay, ...others] = blocks.filter((block) => block.includes("kind: Kustomization") && block.includes(base));
  if (overlay === undefined || others.length > 0) throw new Error(`${page} does not show one overlay`);
  return overlay;
}
