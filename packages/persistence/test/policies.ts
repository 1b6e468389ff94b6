import { OPEN_POLICY, type CallingPolicySettings } from '@outdial/contracts';
import { everyDay } from '@outdial/policies';
import type { Database } from '../src/database.ts';

/** The same times each day, by the callee's clock. */
export function openDaily(...times: readonly string[]): CallingPolicySettings {
  return { ...OPEN_POLICY, windows: { default: everyDay(...times) } };
}

/** No hour of any day. */
export const CLOSED = openDaily();

/** The account's next version. */
export async function savePolicy(
  { side }: Pick<Database, 'side'>,
  accountId: string,
  settings: Partial<CallingPolicySettings>,
): Promise<void> {
  await side.$executeRaw`
    WITH next AS (
      UPDATE accounts SET policy_version = policy_version + 1 WHERE id = ${accountId}::uuid RETURNING id, policy_version
    )
    INSERT INTO calling_policies (account_id, version, settings, saved_by)
    SELECT id, policy_version, ${JSON.stringify({ ...OPEN_POLICY, ...settings })}::jsonb, 'test' FROM next`;
}

/** The operator's rules; null: there are none. */
export async function setFloor(
  { side }: Pick<Database, 'side'>,
  settings: Partial<CallingPolicySettings> | null,
): Promise<void> {
  const floor = settings && JSON.stringify({ ...OPEN_POLICY, ...settings });
  await side.$executeRaw`UPDATE system_settings SET policy_floor = ${floor}::jsonb`;
}

interface Dials {
  readonly accountId: string;
  readonly number: string;
}

/** Other calls to the number were dialed so long ago. */
export async function dialed(
  { side }: Pick<Database, 'side'>,
  { accountId, number }: Dials,
  secondsAgo: readonly number[] = [60],
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO dial_counts (account_id, number, dialed_at)
    SELECT ${accountId}::uuid, ${BigInt(number.slice(1))}, array_agg(clock_timestamp() - make_interval(secs => s) ORDER BY s DESC)
    FROM unnest(${[...secondsAgo]}::double precision[]) s
    ON CONFLICT (account_id, number) DO UPDATE SET dialed_at = excluded.dialed_at`;
}

/** The account saves a policy of one call an hour, and has called the number. */
export async function reachCap(database: Pick<Database, 'side'>, dials: Dials): Promise<void> {
  await savePolicy(database, dials.accountId, { caps: [{ hours: 1, max: 1 }] });
  await dialed(database, dials, [0]);
}

/** The counted dials, by the milliseconds of their moments; empty if there is no row. */
export async function dialsOf(
  { side }: Pick<Database, 'side'>,
  { accountId, number }: Dials,
): Promise<readonly number[]> {
  const [row] = await side.$queryRaw<{ times: number[] }[]>`
    SELECT ARRAY(SELECT epoch_ms(d.at) FROM unnest(k.dialed_at) WITH ORDINALITY d(at, nth) ORDER BY d.nth) AS times
    FROM dial_counts k WHERE k.account_id = ${accountId}::uuid AND k.number = ${BigInt(number.slice(1))}`;
  return row?.times ?? [];
}
