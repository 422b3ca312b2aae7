// When is a socket connected? A connection that is given up is closed.

import type { Socket } from "node:net";

/** The socket once it is connected. Rejects with its error, or if it is given up. */
export function connectedSocket<Connecting extends Socket>(
  socket: Connecting,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<Connecting> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void socket.destroy(new Error("aborted"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const onError = (error: Error): void => {
      signal.removeEventListener("abort", abort);
      reject(error);
    };
    socket.once("error", onError);
    socket.once(event, () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", onError);
      // An error before the socket has its next reader closes it, and that one sees it.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}
