import { randomInt } from 'node:crypto';
import { WEEKDAYS, type CallingPolicySettings } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import type { BenchAccount } from '../seed.ts';
import { query, type StageStores } from '../stage.ts';

/** Two databases that differ only in the policy of the account, each with its own gate. */
export interface PolicyPair {
  readonly none: StageStores;
  readonly us: StageStores;
}

/** Of one zone, of Florida, of two zones, and of regions without a row. */
const PREFIXES = ['+1212', '+1305', '+1423', '+1312', '+1808'];
const RANGE = 10_000_000;

/** A number that was most likely not called before: no cap is reached. */
export const anyNumber = (): string =>
  `${PREFIXES[randomInt(PREFIXES.length)]}${2_000_000 + randomInt(RANGE - 2_000_000)}`;

/** The pack, with each of its rows open all day: the hour of the measurement does not matter. */
export function alwaysOpen(): CallingPolicySettings {
  const { settings } = PACKS.us;
  const rows = Object.keys(settings.windows).map((row) => [row, week(['00:00-12:00', '12:00-24:00'])] as const);
  return { ...settings, windows: Object.fromEntries(rows), closed_days: ['2020-12-25'] };
}

function week(times: readonly string[]): CallingPolicySettings['windows'][string] {
  const [mon, tue, wed, thu, fri, sat, sun] = WEEKDAYS.map(() => [...times]);
  return {
    mon: mon ?? [],
    tue: tue ?? [],
    wed: wed ?? [],
    thu: thu ?? [],
    fri: fri ?? [],
    sat: sat ?? [],
    sun: sun ?? [],
  };
}

export async function savePolicy(
  { databaseUrl }: StageStores,
  { accountId }: BenchAccount,
  settings: CallingPolicySettings,
): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO calling_policies (account_id, version, settings, saved_by) VALUES ($1, 1, $2, 'bench')`,
    [accountId, JSON.stringify(settings)],
  );
  await query(databaseUrl, 'UPDATE accounts SET policy_version = 1 WHERE id = $1', [accountId]);
}
