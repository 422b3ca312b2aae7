// In which formats (`-o`) can each command print its answer? Names only: reading a command line loads no renderer.

/** The formats of each command, or of a command with a flag; the first is the default. */
export const FORMATS = {
  resolve: ["text", "wide", "name", "tree", "json", "yaml", "mermaid", "dot", "subscriptions"],
  "resolve --what-if-constraints": ["text", "wide", "json", "yaml"],
  explain: ["text", "tree", "json", "yaml", "mermaid", "dot"],
  plan: ["text", "wide", "name", "json", "yaml", "mermaid", "svg", "installplan", "subscriptions"],
  show: ["text", "wide", "name", "json", "yaml", "mermaid", "dot"],
  lint: ["text", "json", "yaml", "sarif", "github"],
  place: ["text", "wide", "name", "json", "yaml", "matrix", "placementdecision"],
  "place --explain": ["text", "json", "yaml"],
  "place --against": ["text", "wide", "json", "yaml"],
  status: ["text", "wide", "name", "json", "yaml"],
  "cel check": ["text", "json", "yaml"],
  "cel eval": ["text", "json", "yaml"],
  "crd check": ["text", "json", "yaml", "sarif", "markdown", "github"],
  "cache list": ["text", "json", "yaml"],
  "cache prune": ["text", "json", "yaml"],
  version: ["text", "json", "yaml"],
} as const;

/** The `apiVersion` of all reports for programs. */
export const REPORT_VERSION = "plimsoll.dev/v1alpha1";

export type Format<Command extends keyof typeof FORMATS> = (typeof FORMATS)[Command][number];
