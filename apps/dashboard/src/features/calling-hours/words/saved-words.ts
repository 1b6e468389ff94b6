import type { CallingPolicyBody } from '@outdial/contracts';

/** Who saved a version. */
export function savedByWords({ saved_by: savedBy }: Pick<CallingPolicyBody, 'saved_by'>): string {
  if (savedBy === 'default') return 'default of new accounts';
  if (savedBy === 'operator') return 'your operator';
  return savedBy ?? 'nobody';
}

/** Today in the user's time zone, `YYYY-MM-DD`. */
export function todayOf(now: Date): string {
  const day = String(now.getDate()).padStart(2, '0');
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${day}`;
}
