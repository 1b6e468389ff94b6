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
  const [{ token }, holds, accounts] = await Promise.all([
    gate.state(),
    client.hgetall('{outdial}:holds'),
    client.hgetall('{outdial}:accounts'),
  ]);
  return {
    current: token?.generation === postgres.generation && token.walTimeline === postgres.timeline,
    holds: new Map(Object.entries(holds).map(([callId, text]) => [callId, holdView(text)])),
    accounts: new Map(Object.entries(accounts).map(([id, text]) => [id, accountView(text)])),
  };
}

function holdView(text: string) {
  const [account = '', reservation = '', hold] = text.split(' ');
  return { account, reservation, hold: Number(hold) };
}

function accountView(text: string): GateAccountView {
  const [balance, version, , , held, openCalls] = text.split(' ').map(Number);
  return { balance: balance ?? NaN, version: version ?? NaN, held: held ?? NaN, openCalls: openCalls ?? NaN };
}
