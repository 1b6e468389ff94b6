import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Random } from '../random.ts';
import { endCall, type Attempt, type NewCall } from './client.ts';
import type { Clients } from './clients.ts';
import { startArrivals, type SteadyLoad } from './steady-load.ts';

/** A request of a customer, on the clock of `performance.now()`. */
export interface Asked extends Attempt {
  readonly answeredAtMs: number;
}

export interface UpgradeLoad extends SteadyLoad {
  /** Every request to place a call, in the order of the answers. */
  readonly asked: readonly Asked[];
}

/** How often each comes, in tenths. */
const ERRANDS = {
  talk: 4,
  'find it busy': 1,
  'hang up by the API': 2,
  'schedule a call': 2,
  'repeat the request': 1,
} as const;
type Errand = keyof typeof ERRANDS;
const isErrand = (name: string): name is Errand => Object.hasOwn(ERRANDS, name);
const LOT: readonly Errand[] = Object.keys(ERRANDS)
  .filter(isErrand)
  .flatMap((errand) => Array<Errand>(ERRANDS[errand]).fill(errand));

/** Talks until the API ends the call. */
const TALK_SECONDS = 60;

/** Customers that do all that two versions do together: one accepts what the other queues, dials, ends or is asked again. */
export function startUpgradeLoad(options: {
  readonly stack: Stack;
  readonly clients: Clients;
  readonly account: Account;
  readonly callsPerSecond: number;
  readonly random: Random;
}): UpgradeLoad {
  const { stack, clients, account, callsPerSecond, random } = options;
  const asked: Asked[] = [];

  const seen = (attempt: Attempt) => void asked.push({ ...attempt, answeredAtMs: performance.now() });
  const place = (call: NewCall, key: string = randomUUID()) => clients.placeWithRetries(account, call, { key, seen });
  /** Answers, and hangs up soon. */
  const short = (): NewCall => ({ toNumber: stack.number('impatient') });

  async function serve(): Promise<void> {
    const errand = random.pick(LOT);
    switch (errand) {
      case 'talk':
        return void (await place(short()));
      case 'find it busy':
        return void (await place({ toNumber: stack.number('busy') }));
      case 'hang up by the API': {
        const answer = await place({ toNumber: stack.number('silent'), maxDurationSeconds: TALK_SECONDS });
        await sleep(random.integer(0, 3_000));
        if (answer.kind === 'accepted') await endCall(random.pick(stack.apis), account, answer.callId);
        return;
      }
      case 'schedule a call':
        return void (await place({ ...short(), scheduledFor: new Date(Date.now() + random.integer(1_000, 5_000)) }));
      case 'repeat the request': {
        const key = randomUUID();
        const call = short();
        await place(call, key);
        await sleep(random.integer(0, 10_000));
        return void (await place(call, key));
      }
    }
  }

  return { asked, ...startArrivals({ perSecond: callsPerSecond, random, serve }) };
}
