// How is an image read that may be in several places? One after the other; the first that answers is used for the rest of it.

import { failureOfOne, NetFailure } from "../net/failure.ts";
import { counted } from "../text/words.ts";
import type { Descriptor } from "./image-source.ts";
import { type MirrorRule, sourcesOf } from "./mirrors.ts";
import { type ImageReference, referenceText } from "./reference.ts";
import { type RegistryImage, registryImage } from "./registry.ts";
import type { RegistryOptions } from "./registry-client.ts";

export interface MirroredImage extends RegistryImage {
  /** The place that answered, as an image is written; undefined before. */
  readonly usedLocation: string | undefined;
}

interface Place {
  readonly location: string;
  readonly image: RegistryImage;
}

interface Failed {
  readonly location: string;
  readonly reason: string;
  readonly failure?: NetFailure;
}

/** The image from the first of its places that has it. Throws if all of them are blocked. */
export function mirroredImage(
  reference: ImageReference,
  rules: readonly MirrorRule[],
  options: RegistryOptions,
): MirroredImage {
  const { candidates, excluded } = sourcesOf(reference, rules);
  const shown = referenceText(reference);
  const all: readonly Place[] = candidates.map(({ reference: place, isInsecure }) => ({
    location: referenceText(place),
    image: registryImage(place, {
      ...options,
      insecure: isInsecure ? [...options.insecure, place.registry] : options.insecure,
    }),
  }));
  if (all.length === 0) throw allFailed(shown, excluded);
  let used: Place | undefined;
  /** The one that answered comes first. */
  const places = (): readonly Place[] => (used === undefined ? all : [used, ...all.filter((place) => place !== used)]);
  const first = async <Result>(ask: (image: RegistryImage) => Promise<Result>): Promise<Result> => {
    const failed: Failed[] = [];
    const hasAnswered = used !== undefined;
    for (const place of places()) {
      try {
        const result = await ask(place.image);
        used = place;
        return result;
      } catch (error) {
        failed.push(failedPlace(place, error));
      }
    }
    throw onlyOrAll(shown, failed, excluded, hasAnswered);
  };
  return {
    get name() {
      return (used ?? (all.at(-1) as Place)).image.name;
    },
    get usedLocation() {
      return used?.location;
    },
    manifest: (signal) => first((image) => image.manifest(signal)),
    manifestOf: (descriptor, signal) => first((image) => image.manifestOf(descriptor, signal)),
    blob: (descriptor, signal) => blobOf(descriptor, signal),
    close: () => {
      for (const { image } of all) image.close();
    },
  };

  /** Another place is tried only before something was passed on. */
  async function* blobOf(descriptor: Descriptor, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const failed: Failed[] = [];
    for (const place of places()) {
      let hasBegun = false;
      try {
        for await (const chunk of place.image.blob(descriptor, signal)) {
          hasBegun = true;
          yield chunk;
        }
        return;
      } catch (error) {
        if (hasBegun) throw error;
        failed.push(failedPlace(place, error));
      }
    }
    throw onlyOrAll(shown, failed, excluded, used !== undefined);
  }
}

/** What is said about a place; an error that is no failure, or the end of it all, is thrown. */
function failedPlace({ location }: Place, error: unknown): Failed {
  const failure = failureOfOne(error);
  return { location, reason: failure.message, failure };
}

/**
 * With one place and no other, its own failure says it all. Otherwise the kind and the help are those of the place that was tried
 * last: the registry itself, if it may be asked. If a place has answered before (it is the first then), they are those of that one:
 * what is missing in a mirror is missing, also if nothing else can be reached.
 */
function onlyOrAll(
  shown: string,
  failed: readonly Failed[],
  excluded: readonly Failed[],
  hasAnswered: boolean,
): NetFailure {
  const [first] = failed;
  if (failed.length === 1 && excluded.length === 0 && first?.failure !== undefined) return first.failure;
  return allFailed(shown, [...failed, ...excluded], hasAnswered ? first?.failure : failed.at(-1)?.failure);
}

function allFailed(shown: string, failed: readonly Failed[], decisive?: NetFailure): NetFailure {
  const reasons = failed.map(({ location, reason }) => `${location}: ${reason}`);
  return new NetFailure(
    decisive?.kind ?? "config",
    failed.length === 1
      ? `the image ${shown} cannot be read: ${reasons[0]}`
      : `the image ${shown} cannot be read from ${counted(failed.length, "place")}: ${reasons.join("; ")}`,
    {
      ...(decisive?.status !== undefined && { status: decisive.status }),
      help: decisive?.help ?? "correct the configuration of registries that blocks it",
    },
  );
}
