import type { CallId } from '@outdial/contracts';
import type { NewCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { FaultContext } from './fault.ts';

/** A machine that cannot keep up answers 503. */
const AT_ONCE = 10;

/** Places calls while dialing is paused: however slow the machine is, workers then dial them one right after the other. */
export async function placeTogether(
  { stack, clients }: Pick<FaultContext, 'stack' | 'clients'>,
  account: Account,
  count: number,
  call: () => NewCall,
): Promise<readonly CallId[]> {
  const placed: CallId[] = [];
  await pauseDialing(stack, true);
  try {
    while (placed.length < count) {
      placed.push(...(await clients.placeMany(account, Math.min(AT_ONCE, count - placed.length), call)));
    }
    return placed;
  } finally {
    await pauseDialing(stack, false);
  }
}

async function pauseDialing({ sql }: Pick<Stack, 'sql'>, isPaused: boolean): Promise<void> {
  await sql(
    `UPDATE system_settings SET dialling_paused = $1, dialling_changed_at = now(), dialling_changed_by = 'chaos'`,
    [isPaused],
  );
}
