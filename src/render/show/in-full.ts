// What does `show` load only where constraints are shown? One part of the bundle.

export { inFormat } from "../kit/report-format.ts";
export { bundleLines } from "./bundle-text.ts";
export { packageLines } from "./package-text.ts";
export { catalogReport } from "./report.ts";
export { requirementDiagram } from "./requirement-diagram.ts";
