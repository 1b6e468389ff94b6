import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentSettingsSchema } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import { catchFirst } from './catch-first.ts';
import type { Fault, FaultContext } from './fault.ts';
import { MARKS } from './marks.ts';
import { callsOf, killService, openCallsOf, PATIENCE_MS, until, untilEnded } from './observe.ts';
import { placeTogether } from './place-together.ts';

const CALLS = 12;
/** Its callees press 9 when it has spoken, a few seconds after they answered. */
const AGENT = agentSettingsSchema.parse({
  name: 'Appointment',
  first_message: 'Hello, this is Riverside Dental. You have an appointment on Monday at nine. Press nine to opt out.',
  opt_out: { key: '9' },
});

/** The longest pause between two tries, and the time in which a process is connected again. */
const STORED_WITHIN_MS = 10_000;
/** A lease, and ten seconds for the take-over. */
const TAKEN_OVER_WITHIN_MS = 70_000;

/** Callees opt out while Postgres is down, and their calls end. */
export const optOutWhilePostgresAway: Fault = {
  name: 'opt-out-while-postgres-away',
  expectation: 'each opt-out is stored once Postgres is back, and its call ends opted_out',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const account = await stack.account({ agents: [AGENT] });
    const heardBefore = await optOutsHeard(stack);
    const callIds = await placeAll(context, account);
    await until('every callee has answered', PATIENCE_MS, async () =>
      (await callsOf(stack, account)).every(({ status }) => status === 'in_progress' || status === 'ended'),
    );
    const { length: earlier } = await optedOut(stack, account);
    await stack.postgresServer.kill();
    await until('every callee has opted out', PATIENCE_MS, async () => {
      return (await optOutsHeard(stack)) - heardBefore === CALLS;
    });
    await stack.postgresServer.start();
    const recoveryMs = await until('each opt-out is stored', PATIENCE_MS, async () => {
      return (await optedOut(stack, account)).length === CALLS;
    });
    await untilEnded(stack, callIds);
    const wrong = (await callsOf(stack, account)).filter(({ reason }) => reason !== 'opted_out');
    return {
      injected: 1,
      hit: CALLS - earlier,
      recoveryMs,
      timings: [{ what: 'each opt-out stored', tookMs: recoveryMs, promisedMs: STORED_WITHIN_MS }],
      violations: [
        ...wrong.map(({ id, reason }) => `a call ended as ${reason}: ${id}`),
        ...(await acceptedAnyway(context, account)),
      ],
    };
  },
};

/** A worker dies when an opt-out is stored and it does not know yet: nothing was confirmed to the callee. */
export const optOutWorkerKilled: Fault = {
  name: 'opt-out-worker-killed',
  expectation: 'the opt-out stands; the call is ended by another worker within lease + 10 s',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const account = await stack.account({ agents: [AGENT] });
    const catching = catchFirst(stack.workers, ({ databaseWire }) =>
      databaseWire.trap({ text: MARKS.optOut, at: 'reply' }),
    );
    const callIds = await placeAll(context, account);
    const { worker, caught } = await catching;
    const { pid } = worker;
    const stored = await optedOut(stack, account);
    await killService(stack, worker);
    caught.cut();
    const orphans = (await openCallsOf(stack, account, pid)).map(({ id }) => id);
    const tookMs = await untilEnded(stack, callIds);
    const standing = new Set(await optedOut(stack, account));
    const hit = stored.filter((id) => orphans.includes(id));
    return {
      injected: 1,
      hit: hit.length,
      recoveryMs: tookMs,
      timings: [{ what: 'orphaned calls settled', tookMs, promisedMs: TAKEN_OVER_WITHIN_MS }],
      violations: [
        ...stored.filter((id) => !standing.has(id)).map((id) => `an opt-out is lost: ${id}`),
        ...(await acceptedAnyway(context, account)),
      ],
    };
  },
};

function placeAll(context: FaultContext, account: Account): Promise<readonly string[]> {
  const { stack } = context;
  return placeTogether(context, account, CALLS, () => ({
    toNumber: stack.number('opts_out'),
    maxDurationSeconds: 60,
  }));
}

/** As the workers' logs say, whatever is stored. */
async function optOutsHeard({ workers, logDir }: Stack): Promise<number> {
  const logs = await Promise.all(workers.map(({ name }) => readFile(join(logDir, `${name}.log`), 'utf8')));
  return logs.reduce((count, log) => count + log.split('"callee opted out"').length - 1, 0);
}

/** The calls in which the entries of the account's list were made. */
async function optedOut({ sql }: Pick<Stack, 'sql'>, account: Account): Promise<readonly string[]> {
  const rows = await sql<{ callId: string }>(
    `SELECT call_id::text AS "callId" FROM suppressions WHERE account_id = $1 AND kind = 'opt_out' AND removed_at IS NULL`,
    [account.id],
  );
  return rows.map(({ callId }) => callId);
}

/** Who has opted out is not called again. */
async function acceptedAnyway({ stack, clients }: FaultContext, account: Account): Promise<readonly string[]> {
  const rows = await stack.sql<{ number: string }>(
    `SELECT '+' || number AS number FROM suppressions WHERE account_id = $1 AND kind = 'opt_out'`,
    [account.id],
  );
  const answers = await Promise.all(rows.map(({ number }) => clients.placeWithRetries(account, { toNumber: number })));
  const isRefused = answers.map((answer) => answer.kind === 'refused' && answer.code === 'suppressed');
  return isRefused.every(Boolean) ? [] : [`a call was not refused: ${JSON.stringify(answers)}`];
}
