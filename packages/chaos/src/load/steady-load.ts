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
  return startArrivals({
    perSecond: callsPerSecond,
    random,
    serve: () => clients.placeWithRetries(account, newCall()),
  });
}

/** Customers arrive at a rate with random gaps, until it is stopped; that resolves once all of them are served. */
export function startArrivals(options: {
  readonly perSecond: number;
  readonly random: Random;
  readonly serve: () => Promise<unknown>;
}): SteadyLoad {
  const { perSecond, random, serve } = options;
  const stopping = new AbortController();
  const placing = new Set<Promise<unknown>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const placed = serve().finally(() => placing.delete(placed));
      placing.add(placed);
      // Exponential gaps: independent arrivals.
      await sleep((-Math.log(1 - random.unit()) * 1_000) / perSecond);
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
