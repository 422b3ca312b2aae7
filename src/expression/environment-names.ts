// What are the environments called in which an expression can be compiled?

/** The names of the environments. */
export const ENVIRONMENTS = ["plain", "bundle", "placement"] as const;

/** What an expression can use: the variables of the data, the properties of a bundle, or a cluster and its scores. */
export type EnvironmentName = (typeof ENVIRONMENTS)[number];
