// What is the state of an object? Kubernetes' conditions.

/** One condition of an object; the status is True, False or Unknown. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  /** The generation of the object that the condition is about. */
  readonly observedGeneration?: number | undefined;
}
