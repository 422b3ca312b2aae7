// How do two threads ask each other? Each names the functions that the other may call; arguments and results are plain data.

/** One end of a channel between two threads: a Worker, or the parentPort inside of it. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: "message", take: (message: unknown) => void): unknown;
}

/** Functions that a thread offers, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each function has its own argument and result
export type Functions = Readonly<Record<string, (argument: any) => unknown>>;

type Message =
  | { readonly is: "call"; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly is: "result"; readonly id: number; readonly result: unknown }
  | { readonly is: "error"; readonly id: number; readonly error: Error };

/** What waits for a result. */
interface Waiting {
  readonly done: (result: never) => void;
  readonly failed: (error: Error) => void;
}

/** The functions of the other thread. `Theirs` is the type of the object that it passes to its own link. */
export class ThreadLink<Theirs extends Functions> {
  readonly #port: Port;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #closed: Error | undefined;

  constructor(port: Port, own: Functions) {
    this.#port = port;
    port.on("message", (message) => void this.#take(message as Message, own));
  }

  /** Calls a function of the other thread. Rejects with an Error of the same message and stack if it throws. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#port.postMessage({ is: "call", id, name, argument } satisfies Message);
    });
  }

  /** Ends all calls, now and later: the other thread is gone. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const { failed } of this.#waiting.values()) failed(reason);
    this.#waiting.clear();
  }

  async #take(message: Message, own: Functions): Promise<void> {
    if (message.is === "call") {
      this.#port.postMessage(await answerTo(message, own));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.is === "result") waiting?.done(message.result as never);
    else waiting?.failed(message.error);
  }
}

/** An error that can cross threads: its message, and where it was thrown. */
export function plainError(error: unknown): Error {
  const plain = new Error(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && error.stack !== undefined) plain.stack = error.stack;
  return plain;
}

async function answerTo({ id, name, argument }: Message & { readonly is: "call" }, own: Functions): Promise<Message> {
  try {
    return { is: "result", id, result: await own[name]?.(argument) };
  } catch (error) {
    return { is: "error", id, error: plainError(error) };
  }
}
