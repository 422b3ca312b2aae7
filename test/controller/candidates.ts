// Who wants to lead? Simulated processes with electors, and the world that they share. For tests of leader election.

import { LeaderElector, type LeaderElectorOptions } from "../../src/controller/leader-election.ts";
import { DEFAULT_LEASE_TIMES } from "../../src/controller/lease-times.ts";
import { LeaseServer, SimulatedProcess } from "./lease-server.ts";
import { ManualClock } from "./manual-clock.ts";

/** A process with an elector, and what it reports. */
export class Candidate {
  readonly process: SimulatedProcess;
  readonly elector: LeaderElector;
  readonly changes: boolean[] = [];
  readonly troubles: (string | undefined)[] = [];
  readonly #stop = new AbortController();
  ended: Promise<void> | undefined;

  constructor(world: World, identity: string, options: Partial<LeaderElectorOptions> = {}) {
    this.process = new SimulatedProcess(world.time, world.server);
    this.elector = new LeaderElector({
      server: this.process,
      namespace: "harbour",
      name: "controller",
      identity,
      clock: this.process,
      random: () => 0,
      ...DEFAULT_LEASE_TIMES,
      onChange: (leading) => this.changes.push(leading),
      onTrouble: (failure) => this.troubles.push(failure?.kind),
      ...options,
    });
  }

  start(): this {
    this.ended = this.elector.run(this.#stop.signal);
    return this;
  }

  stop(): void {
    this.#stop.abort();
  }
}

export class World {
  readonly time: ManualClock = new ManualClock();
  readonly server: LeaseServer = new LeaseServer();

  candidate(identity: string, options: Partial<LeaderElectorOptions> = {}): Candidate {
    return new Candidate(this, identity, options).start();
  }

  get holder(): unknown {
    return this.server.lease?.spec.holderIdentity;
  }
}
