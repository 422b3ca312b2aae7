// What does an object say about its own state? Kubernetes' conditions.

/** One statement of a controller about an object; the status is True, False or Unknown. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  /** The generation of the object that the statement is about. */
  readonly observedGeneration?: number | undefined;
}
