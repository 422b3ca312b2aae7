// What does a controller need of an API server in order to write? Two methods, so that tests can have a server in memory.

export interface WriteRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** A JSON value. That of a PATCH is a merge patch (RFC 7386). */
  readonly body: unknown;
  /** Milliseconds until the answer is complete. After them the request has ended, in one way or the other. */
  readonly timeout: number;
  /** Called in the same turn of the event loop in which the request is written to the socket. If it says no, nothing is sent. */
  readonly mayStillSend?: () => boolean;
}

/** Both methods throw a `NetFailure`. */
export interface WritingServer {
  /** The answer, as JSON text: the object as it is now. */
  write(request: WriteRequest): Promise<string>;
  get(path: string): Promise<string>;
}
