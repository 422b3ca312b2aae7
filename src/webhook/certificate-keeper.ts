// Who keeps the certificate of the webhook valid, and known to the API server? Every replica, with one Secret between them: it reads it again
// and again, renews what has to be renewed, and takes what another replica has written. No other Secret is ever read or written.

import { type Clock, sleep } from "../controller/clock.ts";
import type { TlsCertificate } from "../controller/http-server.ts";
import { bugFields, type Logger } from "../controller/log.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { listPath, objectPath } from "../kube/path.ts";
import { type JsonObject, partOf } from "../model/json.ts";
import { Backoff } from "../net/backoff.ts";
import { NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { REQUEST_LIMIT, servedObject } from "./served-object.ts";
import { authorityBundle, readServingSecret, renewed, type ServingSecret, secretData } from "./serving-secret.ts";
import { announce } from "./webhook-configuration.ts";

export interface CertificateKeeperOptions {
  readonly server: Pick<ApiServer, "getOnce" | "write">;
  readonly namespace: string;
  /** Of the Secret, and of the ValidatingWebhookConfiguration. */
  readonly secret: string;
  readonly configuration: string;
  /** DNS names and addresses of the server. */
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** There is a certificate to show, or another one. */
  readonly onCertificate: (certificate: TlsCertificate) => void;
}

const SECRETS = { group: "", version: "v1", plural: "secrets" };
/** The Secret is read again after so many milliseconds, and up to a fifth more. */
const PERIOD = 10 * 60 * 1000;
const JITTER = 0.2;
const BACKOFF = { first: 1000, max: 60_000 };
/** Attempts to write before other replicas are left alone for a while. */
const MAX_ATTEMPTS = 3;
const TYPE = "kubernetes.io/tls";

/** What is done in each round, and what is logged if it fails. */
const STEPS = {
  secret: "the Secret of the webhook cannot be read or written",
  configuration: "the certificate is not trusted yet: the ValidatingWebhookConfiguration cannot be read or patched",
} as const;

export class CertificateKeeper {
  readonly #options: CertificateKeeperOptions;
  readonly #backoff: Backoff;
  #held: ServingSecret | undefined;
  /** What failed last, of each step. */
  readonly #trouble = new Map<keyof typeof STEPS, string>();

  constructor(options: CertificateKeeperOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ ...BACKOFF, random: options.random });
  }

  /** Goes on until it is aborted, and does not reject. A failure is logged, and tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    while (!signal.aborted) {
      // In this order: a replica that has an old Secret in mind must not announce that.
      const isDone =
        (await this.#try("secret", () => this.#keep(), signal)) &&
        (await this.#try("configuration", () => this.#tell(), signal));
      if (isDone) this.#backoff.reset();
      const wait = isDone ? PERIOD * (1 + JITTER * random()) : this.#backoff.next();
      await sleep(clock, wait, signal).catch(() => undefined);
    }
  }

  /** Was it done? What fails because everything ends is not logged. */
  async #try(step: keyof typeof STEPS, work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const { log } = this.#options;
    try {
      await work();
      if (this.#trouble.delete(step)) log.info("recovered", { from: STEPS[step] });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      // Other replicas are at work: what they did is seen soon.
      if (isRace(error)) return false;
      const isFailure = error instanceof NetFailure;
      const kind = isFailure ? error.kind : "bug";
      if (this.#trouble.get(step) !== kind) {
        if (isFailure) log.warn(STEPS[step], { why: withoutSecrets(error.message) });
        else log.error(STEPS[step], bugFields(error));
      }
      this.#trouble.set(step, kind);
      return false;
    }
  }

  /** Reads the Secret, renews it if necessary, and shows what is in it. */
  async #keep(): Promise<void> {
    const { names, clock, log } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const stored = await this.#read();
      const read = stored === undefined ? undefined : readServingSecret(stored);
      // One that was deleted is written again as it was: nothing changes for the API server.
      const known = read ?? this.#held;
      const { secret, why, isUsable } = renewed(known, names, clock.now());
      // Also if what follows it cannot be written.
      if (known !== undefined && isUsable) this.#hold(known);
      try {
        if (why !== "" || read === undefined) {
          await this.#write(stored, secret);
          log.info("the Secret of the webhook is written", { why: why === "" ? "it was deleted" : why });
        }
        this.#hold(secret);
        return;
      } catch (error) {
        // Another replica was faster: what it wrote counts.
        if (!isRace(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  #hold(secret: ServingSecret): void {
    if (!isSame(this.#held, secret)) this.#options.onCertificate(secret.serving);
    this.#held = secret;
  }

  async #tell(): Promise<void> {
    const { server, configuration, log } = this.#options;
    const bundle = authorityBundle((this.#held as ServingSecret).authorities);
    if (await announce(server, configuration, bundle))
      log.info("the authorities are announced to the API server", { configuration });
  }

  async #read(): Promise<JsonObject | undefined> {
    const { server, namespace, secret } = this.#options;
    try {
      return await servedObject(server, objectPath(SECRETS, namespace, secret));
    } catch (error) {
      if (error instanceof NetFailure && error.kind === "not-found") return undefined;
      throw error;
    }
  }

  /** Creates the Secret; or updates the one that was read, and no newer one. */
  async #write(stored: JsonObject | undefined, secret: ServingSecret): Promise<void> {
    const { server, namespace, secret: name } = this.#options;
    const data = secretData(secret);
    if (stored !== undefined) {
      const path = objectPath(SECRETS, namespace, name);
      const body = { ...stored, data: { ...partOf(stored, "data"), ...data } };
      await server.write({ method: "PUT", path, body, timeout: REQUEST_LIMIT });
      return;
    }
    const metadata = { name, namespace, labels: { "app.kubernetes.io/managed-by": "plimsoll" } };
    const body = { apiVersion: "v1", kind: "Secret", metadata, type: TYPE, data };
    await server.write({ method: "POST", path: listPath(SECRETS, namespace), body, timeout: REQUEST_LIMIT });
  }
}

function isSame(a: ServingSecret | undefined, b: ServingSecret | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(secretData(a)) === JSON.stringify(secretData(b));
}

/** Was a write refused because the object is not what it was when it was read? */
function isRace(error: unknown): boolean {
  return error instanceof NetFailure && (error.kind === "conflict" || error.kind === "exists");
}
