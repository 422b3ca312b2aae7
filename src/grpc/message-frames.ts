// Where does one message of a response end and the next one begin? The frames of gRPC: a byte for the compression, four for the
// length, and the message.

import { gunzipSync } from "node:zlib";
import { counted } from "../text/words.ts";
import { WireFault } from "./protobuf.ts";

/** How much is accepted. */
export interface FrameLimits {
  /** Bytes of one message, decompressed. */
  readonly messageBytes: number;
  /** Messages of all responses. */
  readonly messages: number;
  /** Bytes of all messages, decompressed. */
  readonly bytes: number;
}

/** What all responses of a connection have had so far. */
export interface Received {
  messages: number;
  bytes: number;
}

const HEAD = 5;
const MEBIBYTE = 1024 * 1024;

/** Takes the bytes of a response as they come, and passes on each message. */
export class MessageFrames {
  readonly #limits: FrameLimits;
  readonly #received: Received;
  readonly #encoding: string;
  readonly #take: (message: Buffer) => void;
  /** The bytes of an incomplete frame are the first `#length` of it; it grows as bytes come, not as a length is announced. */
  #pending: Buffer = Buffer.alloc(0);
  #length = 0;

  /** `encoding`: how compressed messages are compressed. */
  constructor(limits: FrameLimits, received: Received, encoding: string, take: (message: Buffer) => void) {
    this.#limits = limits;
    this.#received = received;
    this.#encoding = encoding;
    this.#take = take;
  }

  /** Whether the response ended after a whole message. */
  get isWhole(): boolean {
    return this.#length === 0;
  }

  /** Throws a {@link WireFault} if the bytes are no frames, or too many. */
  push(chunk: Buffer): void {
    if (this.#length === 0) {
      const rest = this.#messagesOf(chunk);
      if (rest < chunk.length) this.#keep(chunk.subarray(rest));
      return;
    }
    this.#keep(chunk);
    const bytes = this.#pending.subarray(0, this.#length);
    const rest = this.#messagesOf(bytes);
    if (rest === 0) return;
    this.#pending = Buffer.from(bytes.subarray(rest));
    this.#length = this.#pending.length;
  }

  /** Passes on the messages that are complete; where the next one begins. */
  #messagesOf(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= HEAD) {
      const flag = bytes[at];
      if (flag !== 0 && flag !== 1) throw new WireFault("sends bytes that are no message of gRPC");
      const length = bytes.readUInt32BE(at + 1);
      if (length > this.#limits.messageBytes) throw this.#tooLarge();
      const end = at + HEAD + length;
      if (end > bytes.length) break;
      const message = bytes.subarray(at + HEAD, end);
      this.#receive(flag === 0 ? message : this.#decompressed(message));
      at = end;
    }
    return at;
  }

  #receive(message: Buffer): void {
    const { messages, bytes } = this.#limits;
    if (++this.#received.messages > messages) throw new WireFault(`sends more than ${counted(messages, "message")}`);
    this.#received.bytes += message.length;
    if (this.#received.bytes > bytes) throw new WireFault(`sends more than ${bytes / MEBIBYTE} MiB`);
    this.#take(message);
  }

  #decompressed(message: Buffer): Buffer {
    if (this.#encoding !== "gzip") throw new WireFault("sends a message with a compression that it does not announce");
    try {
      return gunzipSync(message, { maxOutputLength: this.#limits.messageBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw this.#tooLarge();
      throw new WireFault("sends a message that is not valid gzip");
    }
  }

  #tooLarge(): WireFault {
    return new WireFault(`sends a message of more than ${this.#limits.messageBytes / MEBIBYTE} MiB`);
  }

  #keep(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#pending.length));
      this.#pending.copy(larger, 0, 0, this.#length);
      this.#pending = larger;
    }
    chunk.copy(this.#pending, this.#length);
    this.#length = length;
  }
}
