// What is a diagram, independent of the language it is written in? Boxes in groups, and arrows between them.

/** How a box looks: like others, stressed, of less weight, or merely named. */
export type BoxForm = "plain" | "strong" | "weak" | "absent";

/** One box. Ids are words of letters and digits. */
export interface DiagramBox {
  readonly id: string;
  readonly label: string;
  readonly form: BoxForm;
}

/** Boxes that belong together. */
export interface DiagramGroup {
  readonly label: string;
  readonly boxes: readonly DiagramBox[];
}

export interface DiagramArrow {
  readonly from: string;
  readonly to: string;
  readonly line: "solid" | "dashed" | "dotted";
  readonly label?: string;
}

/** A diagram that is drawn from the bottom to the top. */
export interface Diagram {
  readonly groups: readonly DiagramGroup[];
  readonly arrows: readonly DiagramArrow[];
}
