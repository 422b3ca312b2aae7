// How does the mirror follow the hub? With a reflector for each kind.

import type { Clock } from "../controller/clock.ts";
import type { FailingKinds } from "../controller/failing-kinds.ts";
import { Reflector } from "../controller/reflector.ts";
import type { Store } from "../controller/store.ts";
import type { SharedTexts } from "../input/shared-texts.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { listPath } from "../kube/path.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import type { HubMirror } from "./hub-mirror.ts";
import { apiOf, type WatchedItem, type WatchedList, watchedItem } from "./watched-kinds.ts";

export interface HubReflectorsOptions {
  readonly server: ApiServer;
  readonly mirror: HubMirror;
  readonly failingKinds: FailingKinds<WatchedList>;
  readonly shared: SharedTexts;
  readonly clock: Clock;
  readonly random: () => number;
  /** An object of a kind was skipped; `why` is the reason. */
  readonly onSkipped: (list: WatchedList, why: string) => void;
}

/** Kinds that a new leader has to list before it writes: what is there is not created again. */
const NECESSARY: ReadonlySet<WatchedList> = new Set<WatchedList>(["placements", "placementDecisions"]);
/** How long any other kind may fail to be listed while it is waited for, by a new leader or at the start, in milliseconds. */
const LOST_AFTER = 30_000;

export class HubReflectors {
  readonly #byList: ReadonlyMap<WatchedList, Reflector<WatchedItem>>;

  constructor({ server, mirror, failingKinds, shared, clock, random, onSkipped }: HubReflectorsOptions) {
    const reflectorOf = (list: WatchedList) =>
      new Reflector<WatchedItem>({
        path: listPath(apiOf(list)),
        server,
        store: mirror.stores[list] as Store<WatchedItem>,
        read: (text) => watchedItem(list, text, shared),
        onState: (state) => {
          failingKinds.set(list, state);
          mirror.setState(list, state);
        },
        onSkipped: (why) => onSkipped(list, why),
        ...(!NECESSARY.has(list) && { lostAfter: LOST_AFTER }),
        clock,
        random,
      });
    this.#byList = new Map(FLEET_LISTS.map((list) => [list, reflectorOf(list)]));
  }

  /** Follows all kinds until `stop` is aborted. */
  async run(stop: AbortSignal): Promise<void> {
    await Promise.all([...this.#byList.values()].map((reflector) => reflector.run(stop)));
  }

  /** Lists a kind once more; resolves when that is done, or the kind is lost. */
  async listAgain(list: WatchedList): Promise<void> {
    await this.#byList.get(list)?.refresh();
  }
}
