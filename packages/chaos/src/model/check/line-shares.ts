import type { LineLimits } from '@outdial/calls';
import type { RanScript } from '../stores/redis-link.ts';
import type { SimulatedRedis } from '../stores/simulated-redis.ts';
import type { WorldClock } from '../world/clock.ts';
import { BreakerWatch, type Grant } from './breaker-watch.ts';
import type { Promises } from './promises.ts';

const ACQUIRE_KEYS = 7;
const TAKE_KEYS = 5;
const FIELDS_OF_A_LINE = 5;
const FIELDS_OF_A_TRUNK = 3;

/**
 * No account takes more than half of an operator's line while another waits for it. An account waits for as long as the
 * reply to one of its calls says.
 */
export class LineShares {
  readonly #clock: WorldClock;
  readonly #promises: Promises;
  readonly #lines: ReadonlyMap<string, LineLimits>;
  readonly #granted = new Set<string>();
  /** By line and account, until when. */
  readonly #waiting = new Map<string, Map<string, number>>();
  readonly #breakers: BreakerWatch;

  constructor(clock: WorldClock, promises: Promises, lines: readonly LineLimits[]) {
    this.#clock = clock;
    this.#promises = promises;
    this.#breakers = new BreakerWatch(clock, promises, lines);
    this.#lines = new Map(lines.map((line) => [line.name, line]));
  }

  /** Redis may have lost what it knew. */
  forget(): void {
    this.#waiting.clear();
    this.#breakers.forget();
  }

  async ran(script: RanScript): Promise<void> {
    const { what, parameters, reply, redis } = script;
    if (!Array.isArray(reply)) return;
    this.#breakers.ran(script);
    const [kind, ...fields] = reply.map(String);
    if (what.startsWith('Before the claim of a call that needs lines')) {
      const callId = parameters[ACQUIRE_KEYS] ?? '';
      if (kind === 'wait') await this.#waits(redis, callId, Number(fields[0]), fields.slice(2));
      if (kind === 'acquired') await this.#gets(redis, { callId, lines: askedOf(parameters), isFallback: false });
    } else if (what.startsWith('In a call: takes one more line') && kind === 'taken') {
      const [callId = '', , line = ''] = parameters.slice(TAKE_KEYS);
      await this.#gets(redis, { callId, lines: [line], isFallback: true });
    }
  }

  async #waits(redis: SimulatedRedis, callId: string, forMs: number, lines: readonly string[]): Promise<void> {
    const hold = await holdOf(redis, callId);
    for (const line of lines) {
      if (this.#breakers.holdsBack(line)) continue;
      const accounts = this.#waiting.get(line) ?? new Map<string, number>();
      accounts.set(hold.account, Math.max(accounts.get(hold.account) ?? 0, this.#clock.nowMs + forMs));
      this.#waiting.set(line, accounts);
    }
  }

  async #gets(redis: SimulatedRedis, grant: Grant): Promise<void> {
    const { callId, lines } = grant;
    this.#breakers.granted(grant);
    const { account, reservation } = await holdOf(redis, callId);
    for (const line of lines) {
      const key = `${reservation} ${line}`;
      const limits = this.#lines.get(line);
      if (this.#granted.has(key) || !limits?.isShared) continue;
      this.#granted.add(key);
      const others = [...(this.#waiting.get(line) ?? [])].filter(([one]) => one !== account);
      if (!others.some(([, untilMs]) => untilMs > this.#clock.nowMs)) continue;
      const own = await callsWith(redis, line, account);
      if (own > Math.ceil(limits.maxCalls / 2))
        this.#promises.violate('half of a line while another waits', `${own} calls of ${limits.maxCalls}`);
    }
  }
}

/** The lines that a call asks for. */
function askedOf(parameters: readonly string[]): readonly string[] {
  const first = ACQUIRE_KEYS + 2 + Number(parameters[ACQUIRE_KEYS + 1]) * FIELDS_OF_A_TRUNK;
  return parameters.slice(first).filter((_, index) => index % FIELDS_OF_A_LINE === 0);
}

async function holdOf({ client }: SimulatedRedis, callId: string) {
  const [account = '', reservation = ''] = (await client.hget('{outdial}:holds', callId))?.split(' ') ?? [];
  return { account, reservation };
}

/** The calls of an account that are held and have the line. */
async function callsWith({ client }: SimulatedRedis, line: string, account: string): Promise<number> {
  const [lines, holds] = await Promise.all([client.hgetall('{outdial}:lines'), client.hgetall('{outdial}:holds')]);
  return Object.entries(lines).filter(([callId, text]) => {
    const [reservation, owner, ...names] = text.split(' ');
    return owner === account && names.includes(line) && holds[callId]?.split(' ')[1] === reservation;
  }).length;
}
