import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import type { Random } from '../random.ts';
import type { NewCall } from './client.ts';
import type { Clients } from './clients.ts';

export interface SteadyLoad {
  /** Stops placing calls; resolves once every client knows the outcome of its requests. */
  stop(): Promise<void>;
}

/** Places calls at a rate with random gaps, as customers do, until it is stopped. */
export function startSteadyLoad(options: {
  readonly clients: Clients;
  readonly account: Account;
  readonly callsPerSecond: number;
  readonly newCall: () => NewCall;
  readonly random: Random;
}): SteadyLoad {
  const { clients, account, callsPerSecond, newCall, random } = options;
  const stopping = new AbortController();
  const placing = new Set<Promise<unknown>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const placed = clients.placeWithRetries(account, newCall()).finally(() => placing.delete(placed));
      placing.add(placed);
      // Exponential gaps: independent arrivals.
      await sleep((-Math.log(1 - random.unit()) * 1_000) / callsPerSecond);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(placing);
    },
  };
}
