import { createHash } from 'node:crypto';
import type { WorldClock } from '../world/clock.ts';
import { SimulatedRedis, type Contents } from './simulated-redis.ts';

/** The primary and, during a failover, also the old primary: some processes still reach it. */
export class RedisCluster {
  main: SimulatedRedis;
  #spare: SimulatedRedis;
  /** Names of the processes that still reach the old primary. */
  readonly #leftBehind = new Set<string>();
  #saved: Contents | null = null;
  #identities = 0;

  constructor(url: string, otherUrl: string, clock: WorldClock) {
    this.main = new SimulatedRedis(url, clock);
    this.#spare = new SimulatedRedis(otherUrl, clock);
  }

  async reset(): Promise<void> {
    this.#identities = 0;
    this.#leftBehind.clear();
    this.#saved = null;
    await this.#spare.flush();
    await this.main.flush();
    await this.main.identify({ runId: this.#newId(), replicationId: this.#newId() });
  }

  reachedBy(process: string): SimulatedRedis {
    return this.#leftBehind.has(process) ? this.#spare : this.main;
  }

  /** Saves what a replica, or the append-only file on the disk, has by now. */
  async save(): Promise<void> {
    this.#saved = await this.main.contents();
  }

  /** The same machine restarts with the data on its disk: all of it, or the last saved state. */
  async restart(withAll: boolean): Promise<void> {
    const contents = withAll || this.#saved === null ? await this.main.contents() : this.#saved;
    await this.main.restore(contents);
    await this.main.identify({ runId: this.#newId(), replicationId: this.#newId() });
  }

  /** A replica takes over; the given processes still reach the old primary, which does not know. */
  async failOver(leftBehind: readonly string[]): Promise<void> {
    const replica = this.#spare;
    await replica.restore(this.#saved ?? (await this.main.contents()));
    await replica.identify({ runId: this.#newId(), replicationId: this.#newId() });
    this.#spare = this.main;
    this.main = replica;
    this.#leftBehind.clear();
    for (const name of leftBehind) this.#leftBehind.add(name);
  }

  /**
   * Fails back before any process wrote to the replica: the first Redis, still the same process, is the primary
   * again, with the replica's data.
   */
  async failBack(): Promise<void> {
    await this.main.restore(this.#saved ?? (await this.main.contents()));
    await this.main.identify({ ...this.main.identity, replicationId: this.#newId() });
  }

  reunite(): void {
    this.#leftBehind.clear();
  }

  close(): void {
    this.main.client.disconnect();
    this.#spare.client.disconnect();
  }

  /** Forty hexadecimal digits, like Redis's own. */
  #newId(): string {
    this.#identities += 1;
    return createHash('sha1').update(String(this.#identities)).digest('hex');
  }
}
