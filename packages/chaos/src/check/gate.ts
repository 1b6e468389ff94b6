import { z } from 'zod';
import type { Stack } from '../stack/stack.ts';
import { OPEN_HOLDS } from './open-holds.ts';

/** The gate's contents in Redis, read without the product's code. */
export interface GateContents {
  /** Null while it is closed: without a token, or on another Redis than the one it was published to. */
  readonly token: string | null;
  /** By call. */
  readonly holds: ReadonlyMap<
    string,
    { readonly accountId: string; readonly reservationId: string; readonly micros: bigint }
  >;
  /** By account. */
  readonly accounts: ReadonlyMap<
    string,
    { readonly balance: bigint; readonly held: bigint; readonly openCalls: number }
  >;
}

const hashSchema = z.record(z.string(), z.string());
const gateSchema = z.object({
  token: z.string().optional(),
  runId: z.string().optional(),
  replicationId: z.string().optional(),
});

/** Reads everything in one transaction. This needs memory, so a full Redis rejects it. */
export async function readGate({ redis }: Pick<Stack, 'redis'>): Promise<GateContents> {
  const replies = await redis
    .multi()
    .hgetall('{outdial}:gate')
    .hgetall('{outdial}:holds')
    .hgetall('{outdial}:accounts')
    .info('server')
    .info('replication')
    .exec();
  const [gate, holds, accounts, server, replication] = (replies ?? []).map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
  const { token, runId, replicationId } = gateSchema.parse(gate);
  const isThisRedis =
    z.string().parse(server).includes(`run_id:${runId}`) &&
    z.string().parse(replication).includes(`master_replid:${replicationId}`);
  return {
    token: isThisRedis ? (token ?? null) : null,
    holds: parsed(holds, ([accountId = '', reservationId = '', micros = '0']) => ({
      accountId,
      reservationId,
      micros: BigInt(micros),
    })),
    accounts: parsed(accounts, ([balance = '0', , , , held = '0', openCalls = '0']) => ({
      balance: BigInt(balance),
      held: BigInt(held),
      openCalls: Number(openCalls),
    })),
  };
}

function parsed<Value>(hash: unknown, parse: (words: readonly string[]) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(hashSchema.parse(hash)).map(([key, text]) => [key, parse(text.split(' '))]));
}

/** Invariant 2 at rest: the gate has exactly what Postgres has. */
export async function gateViolations(stack: Stack): Promise<readonly string[]> {
  const gate = await readGate(stack);
  if (gate.token === null) return ['the gate is closed'];
  const open = await stack.sql<{ id: string; reservationId: string; micros: string }>(
    `SELECT id::text, reservation_id::text AS "reservationId", hold_micros::text AS micros FROM ${OPEN_HOLDS}`,
  );
  const wallets = await stack.sql<{ id: string; balance: string }>(
    'SELECT account_id::text AS id, balance_micros::text AS balance FROM wallets',
  );
  const violations: string[] = [];
  const wanted = new Map(open.map((call) => [call.id, call]));
  for (const [callId, hold] of gate.holds) {
    const call = wanted.get(callId);
    if (!call) violations.push(`held for a call that is not open: ${callId}`);
    else if (call.reservationId !== hold.reservationId) violations.push(`held by another reservation: ${callId}`);
    else if (BigInt(call.micros) !== hold.micros) violations.push(`the hold's amount differs: ${callId}`);
    wanted.delete(callId);
  }
  violations.push(...[...wanted.keys()].map((callId) => `an open call is not held: ${callId}`));
  const balances = new Map(wallets.map(({ id, balance }) => [id, BigInt(balance)]));
  for (const [accountId, account] of gate.accounts) {
    const ofAccount = [...gate.holds.values()].filter((hold) => hold.accountId === accountId);
    const held = ofAccount.reduce((sum, { micros }) => sum + micros, 0n);
    if (account.held !== held || account.openCalls !== ofAccount.length) {
      violations.push(`the gate's sums differ from its holds: ${accountId}`);
    }
    if (account.balance !== balances.get(accountId)) violations.push(`the cached balance differs: ${accountId}`);
  }
  return violations;
}
