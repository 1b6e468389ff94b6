import { createGate } from '@outdial/reservations';
import { redisLink } from '../stores/redis-link.ts';
import type { SimulatedRedis } from '../stores/simulated-redis.ts';
import type { PostgresView } from './postgres-view.ts';

export interface GateView {
  /** Open by the product's own rule, under Postgres's current token. */
  readonly current: boolean;
  readonly holds: ReadonlyMap<
    string,
    { readonly account: string; readonly reservation: string; readonly hold: number }
  >;
  readonly accounts: ReadonlyMap<string, GateAccountView>;
  /** Null until those of open calls are restored under the current token. */
  readonly lines: ReadonlyMap<string, GateLinesView> | null;
}

interface GateLinesView {
  readonly reservation: string;
  readonly names: readonly string[];
}

interface GateAccountView {
  readonly balance: number;
  readonly version: number;
  readonly held: number;
  readonly openCalls: number;
}

/** Reads its contents with plain commands, without the gate's own code. */
export async function viewGate(redis: SimulatedRedis, postgres: PostgresView): Promise<GateView> {
  const { client } = redis;
  const gate = createGate({ redis: redisLink({ reach: () => redis, send: (_what, run) => run() }) });
  const [{ token }, holds, accounts, lines, linesToken] = await Promise.all([
    gate.state(),
    client.hgetall('{outdial}:holds'),
    client.hgetall('{outdial}:accounts'),
    client.hgetall('{outdial}:lines'),
    client.hget('{outdial}:credentials', 'token'),
  ]);
  return {
    current: token?.generation === postgres.generation && token.walTimeline === postgres.timeline,
    lines:
      linesToken === `${postgres.generation}.${postgres.timeline}`
        ? new Map(Object.entries(lines).map(([callId, text]) => [callId, linesView(text)]))
        : null,
    holds: new Map(Object.entries(holds).map(([callId, text]) => [callId, holdView(text)])),
    accounts: new Map(Object.entries(accounts).map(([id, text]) => [id, accountView(text)])),
  };
}

function holdView(text: string) {
  const [account = '', reservation = '', hold] = text.split(' ');
  return { account, reservation, hold: Number(hold) };
}

function linesView(text: string): GateLinesView {
  const [reservation = '', , ...names] = text.split(' ');
  return { reservation, names };
}

function accountView(text: string): GateAccountView {
  const [balance, version, , , held, openCalls] = text.split(' ').map(Number);
  return { balance: balance ?? NaN, version: version ?? NaN, held: held ?? NaN, openCalls: openCalls ?? NaN };
}
