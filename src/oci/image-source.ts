// What is needed of the place that an image is in? Its manifest and its blobs, both verified.

/** A blob or a manifest, as an image names it. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:…` or `sha512:…`. */
  readonly digest: string;
  readonly size: number;
}

/** A manifest or an index, as it came, verified by its digest. */
export interface Manifest {
  /** By which its source names it; empty if it does not. */
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** One image of a registry, a layout or an archive. Failures are `NetFailure`s without credentials. */
export interface ImageSource {
  /** For messages: `the registry quay.io`, `the archive catalog.tar`. */
  readonly name: string;
  /** What the reference names: a manifest, or an index of several. */
  manifest(signal: AbortSignal): Promise<Manifest>;
  /** A manifest that an index names. */
  manifestOf(descriptor: Descriptor, signal: AbortSignal): Promise<Manifest>;
  /** The bytes of a blob. Throws at their end unless they have the digest and the size. A chunk is valid until the next. */
  blob(descriptor: Descriptor, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
