// Which object of a cluster is meant? As events refer to it.

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for an object that is not in a namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}
