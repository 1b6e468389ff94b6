import { setTimeout as sleep } from 'node:timers/promises';
import { ON_THE_WAY_MS, STOPS_WITHIN_MS } from '../check/suppressions.ts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext } from './fault.ts';
import { untilEnded } from './observe.ts';
import { placeTogether } from './place-together.ts';

/** As many as the system may have over SIP, but for a few. */
const CALLS = 140;
/** One number in so many is put on a list. */
const LISTED_EVERY = 10;
/** Workers dial all calls within about five seconds: as fast as the trunk allows. */
const SPREAD_MS = 3_500;

/**
 * Many calls wait in the queue. While workers dial them, one number after the other is put on the list of their account, and
 * one on that of the platform.
 */
export const suppressedInFlight: Fault = {
  name: 'suppressed-in-flight',
  expectation: 'a listed number is not dialed more than a second later, at no cost; all others are dialed once',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const account = await stack.account();
    const callIds = await placeTogether(context, account, CALLS, () => ({ toNumber: stack.number('busy') }));
    await listSome(context, account, callIds);
    await untilEnded(stack, callIds);
    const calls = await dialsOf(stack, callIds);
    const listed = calls.filter(({ listedAtMs }) => listedAtMs !== null);
    const stopped = listed.filter(({ reason }) => reason === 'suppressed');
    const latestMs = Math.max(0, ...listed.map((call) => (call.dialedAtMs[0] ?? 0) - (call.listedAtMs ?? 0)));
    return {
      injected: listed.length,
      hit: stopped.length,
      recoveryMs: null,
      timings: [
        {
          what: 'the last dial to a number after it was listed',
          tookMs: latestMs,
          promisedMs: STOPS_WITHIN_MS + ON_THE_WAY_MS,
        },
      ],
      violations: calls.flatMap(violationsOf),
    };
  },
};

/** Of each ten calls one, in the order in which they were placed: workers dial them in about that order. */
async function listSome({ stack, random }: FaultContext, account: Account, callIds: readonly string[]): Promise<void> {
  const count = CALLS / LISTED_EVERY;
  for (let nth = 0; nth < count; nth += 1) {
    const callId = callIds[nth * LISTED_EVERY + random.integer(0, LISTED_EVERY - 1)];
    const [accountId, source] = nth === count / 2 ? [null, 'operator'] : [account.id, 'api'];
    await stack.sql(
      `INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
       SELECT $2::uuid, substr(c.callee_number, 2)::bigint, 'manual', $3, 'chaos', clock_timestamp() FROM calls c WHERE c.id = $1`,
      [callId, accountId, source],
    );
    await sleep(SPREAD_MS / count);
  }
}

interface DialedCall {
  readonly id: string;
  readonly reason: string | null;
  readonly listedAtMs: number | null;
  readonly dialedAtMs: readonly number[];
}

async function dialsOf(stack: Stack, callIds: readonly string[]): Promise<readonly DialedCall[]> {
  const rows = await stack.sql<Omit<DialedCall, 'dialedAtMs'> & { readonly number: string }>(
    `SELECT c.id::text, c.callee_number AS number, c.ended_reason::text AS reason, epoch_ms(s.created_at)::float8 AS "listedAtMs"
     FROM calls c LEFT JOIN suppressions s ON '+' || s.number = c.callee_number WHERE c.id = ANY($1::uuid[])`,
    [callIds],
  );
  const legs = await stack.legs();
  return rows.map(({ number, ...row }) => ({
    ...row,
    dialedAtMs: legs.filter(({ key }) => key === number).map(({ dialledAtMs }) => dialledAtMs),
  }));
}

/** When a listed number was dialed is judged for every fault: see `suppressionViolations`. */
function violationsOf({ id, reason, listedAtMs, dialedAtMs }: DialedCall): readonly string[] {
  const isStopped = reason === 'suppressed';
  if (isStopped && listedAtMs === null) return [`suppressed, without an entry: ${id}`];
  if (!isStopped && reason !== 'busy') return [`ended ${reason} instead of busy: ${id}`];
  const times = isStopped ? 0 : 1;
  return dialedAtMs.length === times ? [] : [`ended ${reason}, dialed ${dialedAtMs.length} times: ${id}`];
}
