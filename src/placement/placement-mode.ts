// How does our placement differ from OCM's? One table: `--compat=ocm` is the second column.

/** The behaviour of one mode. */
export interface PlacementMode {
  readonly name: "default" | "ocm";
  /** What becomes of the decisions of a misconfigured Placement: they stay; or they are all removed. */
  readonly keepsLastDecisions: boolean;
  /** Is an expression that can never give a bool a mistake; or an error of each cluster? */
  readonly strictExpressions: boolean;
  /** Is a Placement validated in any case; or only by the plugins that clusters get to? */
  readonly validatesWithoutClusters: boolean;
  /**
   * Does a set with a broken selector contribute nothing, and keeps the decisions only of Placements that would lose clusters by it; or
   * does it stop every Placement that uses it?
   */
  readonly isolatesBrokenSets: boolean;
  /** Are percentages and ratios computed exactly; or in doubles, with their rounding errors? */
  readonly exactRatios: boolean;
  /** Is it an error in an expression to read an expired score; or is it like any other? */
  readonly expiredScoresAreErrors: boolean;
  /** Do clusters with a PreferNoSelect taint that is not tolerated come after all others; or has it no effect? */
  readonly softTaints: boolean;
  /** Has tolerationSeconds no meaning for NoSelectIfNew, as the API says; or does it count, as the code does it? */
  readonly ignoreSecondsForNoSelectIfNew: boolean;
  /** If several tolerations match, does the longest count; or the first? */
  readonly longestTolerationCounts: boolean;
  /** Is spreadPolicy implemented, with the prioritizer Spread? */
  readonly spreads: boolean;
  /** Does a cluster keep its PlacementDecision while it is selected; or are all cut from scratch in the order of names? */
  readonly stableSlices: boolean;
  /** Do decisions have a score and a reason, in the order that sortBy says? */
  readonly writesScores: boolean;
  /** Do conditions say which generation of the Placement they are about, and which clusters could not be evaluated? */
  readonly extendedStatus: boolean;
}

/** Whose PlacementDecisions have scores: those of all Placements, of Placements with `sortBy: Score`, or of none. */
export type ScoredDecisions = "all" | "sorted" | "none";

/** Safe, exact, and as the API declares it. */
export const DEFAULT_MODE: PlacementMode = {
  name: "default",
  keepsLastDecisions: true,
  strictExpressions: true,
  validatesWithoutClusters: true,
  isolatesBrokenSets: true,
  exactRatios: true,
  expiredScoresAreErrors: true,
  softTaints: true,
  ignoreSecondsForNoSelectIfNew: true,
  longestTolerationCounts: true,
  spreads: true,
  stableSlices: true,
  writesScores: true,
  extendedStatus: true,
};

/** As OCM does it (v1.2.1, compared by running it; v1.3, from its source), except that it does not crash. */
export const OCM_MODE: PlacementMode = {
  name: "ocm",
  keepsLastDecisions: false,
  strictExpressions: false,
  validatesWithoutClusters: false,
  isolatesBrokenSets: false,
  exactRatios: false,
  expiredScoresAreErrors: false,
  softTaints: false,
  ignoreSecondsForNoSelectIfNew: false,
  longestTolerationCounts: false,
  spreads: false,
  stableSlices: false,
  writesScores: false,
  extendedStatus: false,
};
