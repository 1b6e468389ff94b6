import { agentSettingsSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { readGate } from '../check/gate.ts';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext } from './fault.ts';
import {
  callsOf,
  first,
  isDrivenBy,
  killService,
  openCallsOf,
  PATIENCE_MS,
  until,
  untilEnded,
  untilStatus,
} from './observe.ts';
import { MARKS } from './marks.ts';

const CALLS = 12;
/** So long, with the agent's patience, that no call ends by itself before a worker takes it over. */
const LONG = { maxDurationSeconds: 300 } as const;
const PATIENT = agentSettingsSchema.parse({
  name: 'Patient',
  first_message: 'Hello, this is Riverside Dental.',
  no_input: { prompt: 'Are you there?', after_ms: 60_000, times: 5 },
});
/** A lease, and ten seconds for the take-over. */
const TAKEN_OVER_WITHIN_MS = 70_000;
/** The sweep that releases a settled call's reservation. */
const RELEASED_WITHIN_MS = 15_000;

/**
 * Workers are killed before the dial; after it, before anything of it is stored; with an answer that they cannot
 * store, since Postgres is out of reach; while talking; and after settling.
 */
export const workerKilled: Fault = {
  name: 'worker-killed',
  expectation: 'not dialed at cost 0; or dialed once and settled once within lease + 10 s; or not charged twice',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const account = await stack.account({ agents: [PATIENT] });
    const early = await killWhileDialling(context, account);
    await stack.restore();
    const cutOff = await killWhileCutOff(context, account);
    await stack.restore();
    const late = await killWhileTalking(context, account);
    const tookMs = Math.max(await early.takenOver(), await cutOff.takenOver(), await late.takenOver());
    const hits = { ...early.hits, ...cutOff.hits, ...late.hits };
    await endOthers(context, account);
    return {
      injected: Object.keys(hits).length,
      hit: Object.values(hits).reduce((sum, count) => sum + count, 0),
      recoveryMs: tookMs,
      timings: [
        { what: 'orphaned calls settled', tookMs, promisedMs: TAKEN_OVER_WITHIN_MS },
        { what: 'the settled call’s slot free', tookMs: late.releasedMs, promisedMs: RELEASED_WITHIN_MS },
      ],
      violations: [
        ...Object.entries(hits).flatMap(([place, count]) => (count === 0 ? [`nothing was hit ${place}`] : [])),
        ...(await dialledAnyway(stack, early.undialled)),
        ...(await chargedAnyway(stack, cutOff.answered)),
      ],
    };
  },
};

/** One worker dies before its dial mark is set, another when its INVITE is out and not stored yet. */
async function killWhileDialling({ stack, clients }: FaultContext, account: Account) {
  const [before, after] = twoOf(stack.workers);
  const markTrap = before.redisWire.trap({ text: MARKS.dialMark, at: 'request' });
  const dialogTrap = after.databaseWire.trap({ text: MARKS.fencedWrite, at: 'request' });
  const placing = clients.placeMany(account, CALLS, () => ({ toNumber: stack.number('silent'), ...LONG }));
  const [undialled, unwritten] = await Promise.all([
    markTrap.caught.then((caught) => orphan(stack, account, before, caught)),
    dialogTrap.caught.then((caught) => orphan(stack, account, after, caught)),
  ]);
  await placing;
  const takenOver = untilEnded(stack, [...undialled, ...unwritten]);
  return {
    hits: { 'before the dial': undialled.length, 'after the dial, before it was stored': unwritten.length },
    undialled,
    takenOver: () => takenOver,
  };
}

/** A worker loses Postgres when its INVITEs are out, is answered, and dies. */
async function killWhileCutOff({ stack, clients }: FaultContext, account: Account) {
  const placing = clients.placeMany(account, CALLS, () => ({ toNumber: stack.number('silent'), ...LONG }));
  const worker = await firstToRing(stack, account);
  worker.databaseWire.refuse();
  const dialled = await dialledBy(stack, account, worker.pid);
  await until('the far end has answered', PATIENCE_MS, async () => (await answeredOf(stack, dialled)).length > 0);
  const answered = await answeredOf(stack, dialled);
  const lost = await orphan(stack, account, worker);
  await placing;
  const takenOver = untilEnded(stack, lost);
  return {
    hits: { 'with an answer that was not stored': answered.length },
    answered,
    takenOver: () => takenOver,
  };
}

/** The worker with the first leg that rings: a recently started worker may get none of so few calls. */
async function firstToRing(stack: Stack, account: Account): Promise<Service> {
  let found: Service | undefined;
  await until('a leg rings', PATIENCE_MS, async () => {
    const ringing = new Set((await stack.legs()).filter((leg) => !leg.answered).map(({ key }) => key));
    for (const worker of stack.workers) {
      const dialled = await dialledBy(stack, account, worker.pid);
      if (dialled.some(({ number }) => ringing.has(number))) found = worker;
    }
    return found !== undefined;
  });
  invariant(found, 'a leg rings');
  return found;
}

/** One worker dies when Postgres has settled a call and the worker does not know yet, another during live calls. */
async function killWhileTalking({ stack, clients }: FaultContext, account: Account) {
  const [talking, settling] = twoOf(stack.workers);
  const newCall = () => ({ toNumber: stack.number('silent'), ...LONG });
  const callIds = await clients.placeMany(account, CALLS * 2, newCall);
  await untilStatus(stack, account, 'in_progress', callIds.length);
  const trap = settling.databaseWire.trap({ text: MARKS.settle, at: 'reply' });
  const doomed = first(await openCallsOf(stack, account, settling.pid));
  const ending = endCall(first(stack.apis), account, doomed.id);
  const settlingPid = settling.pid;
  const up = [
    ...(await orphan(stack, account, settling, await trap.caught)),
    ...(await orphan(stack, account, talking)),
  ];
  await ending;
  const settled = (await callsOf(stack, account)).filter(
    (call) => call.reason === 'hung_up_by_api' && isDrivenBy(call, settlingPid),
  );
  const takenOver = untilEnded(stack, up);
  const releasedMs = await until('the settled call holds nothing', PATIENCE_MS, async () => {
    const { holds } = await readGate(stack);
    return settled.every(({ id }) => !holds.has(id));
  });
  return {
    hits: { 'while talking': up.length, 'after settling': settled.length },
    releasedMs,
    takenOver: () => takenOver,
  };
}

/** Kills a worker; what a trap holds of it never arrives. @returns the calls that it leaves behind */
async function orphan(
  stack: Stack,
  account: Account,
  worker: Service,
  caught?: { cut(): void },
): Promise<readonly string[]> {
  const { pid } = worker;
  await killService(stack, worker);
  caught?.cut();
  return (await openCallsOf(stack, account, pid)).map(({ id }) => id);
}

/** Calls whose workers live are no longer needed. */
async function endOthers({ stack }: FaultContext, account: Account): Promise<void> {
  const open = (await callsOf(stack, account)).filter(({ status }) => status !== 'ended');
  await Promise.all(open.map(({ id }) => endCall(first(stack.apis), account, id)));
}

interface Dialled {
  readonly id: string;
  readonly number: string;
}

/** Calls that it was about to dial or has dialed, without a stored answer. */
function dialledBy(stack: Stack, account: Account, pid: number): Promise<readonly Dialled[]> {
  return stack.sql<Dialled>(
    `SELECT id::text, callee_number AS number FROM calls
     WHERE account_id = $1 AND ended_at IS NULL AND answered_at IS NULL AND dialog IS NOT NULL
       AND split_part(worker_id, ':', 2) = $2`,
    [account.id, String(pid)],
  );
}

async function answeredOf(stack: Stack, calls: readonly Dialled[]): Promise<readonly string[]> {
  const answered = new Set((await stack.legs()).filter((leg) => leg.answered).map(({ key }) => key));
  return calls.filter(({ number }) => answered.has(number)).map(({ id }) => id);
}

async function chargedAnyway(stack: Stack, callIds: readonly string[]): Promise<readonly string[]> {
  const rows = await stack.sql<{ id: string }>(
    'SELECT id::text FROM calls WHERE id = ANY($1::uuid[]) AND cost_micros > 0',
    [callIds],
  );
  return rows.map(({ id }) => `charged although its answer was never stored: ${id}`);
}

async function dialledAnyway(stack: Stack, callIds: readonly string[]): Promise<readonly string[]> {
  const rows = await stack.sql<{ id: string; number: string; cost: string }>(
    'SELECT id::text, callee_number AS number, cost_micros::text AS cost FROM calls WHERE id = ANY($1::uuid[])',
    [callIds],
  );
  const dialled = new Set((await stack.legs()).map(({ key }) => key));
  return rows
    .filter(({ number, cost }) => dialled.has(number) || cost !== '0')
    .map(({ id }) => `dialed or charged although its worker died before the dial: ${id}`);
}

function twoOf(workers: readonly Service[]): readonly [Service, Service] {
  const [one, other] = workers;
  if (!one || !other) throw new Error('there are two workers');
  return [one, other];
}
