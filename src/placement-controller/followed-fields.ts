// Which fields do the installed CRDs store now? Their schemas are polled: a CRD can be installed or replaced at any time.

import type { Clock } from "../controller/clock.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { NetFailure } from "../net/failure.ts";
import { ALL_FIELDS, type ReadFields, type StoredFields, storedFields } from "./stored-fields.ts";

export interface FollowedFieldsOptions {
  readonly server: Pick<ApiServer, "read">;
  readonly clock: Clock;
  readonly onChange: (fields: StoredFields) => void;
  readonly onFailure: (failure: NetFailure) => void;
}

/** How often the schemas of the CRDs are read, in milliseconds. */
const PERIOD = 60_000;
/** The same, while they are not published or cannot be read. */
const UNPUBLISHED_PERIOD = 5000;

export class FollowedFields {
  readonly #options: FollowedFieldsOptions;
  /** Without a CRD, or before its schema is published, the last one counts. */
  #schema: ReadFields | undefined;

  constructor(options: FollowedFieldsOptions) {
    this.#options = options;
  }

  /** Without any schema, all fields are assumed. */
  get fields(): StoredFields {
    return this.#schema?.fields ?? ALL_FIELDS;
  }

  /** Reads the schemas now, then periodically until it is stopped; resolves after the first time. */
  async follow(stop: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const isPublished = await this.#read(stop);
    if (!stop.aborted) clock.after(isPublished ? PERIOD : UNPUBLISHED_PERIOD, () => void this.follow(stop));
  }

  /** False if there are no schemas, or they cannot be read. */
  async #read(stop: AbortSignal): Promise<boolean> {
    const { server, onChange, onFailure } = this.#options;
    try {
      const before = this.#schema?.hash;
      const read = await storedFields(server, this.#schema);
      if (read === undefined) return false;
      this.#schema = read;
      if (read.hash !== before) onChange(read.fields);
      return true;
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      if (!stop.aborted) onFailure(error);
      return false;
    }
  }
}
