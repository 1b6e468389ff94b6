import type { Clock } from '@outdial/kernel';
import type { Administration } from '@outdial/persistence';

/** Whether any account has a key that still works. */
export async function hasUsableKeys({ accounts, keys }: Administration, clock: Clock): Promise<boolean> {
  for (const account of await accounts.list()) {
    const isUsable = (await keys.list(account.id)).some(
      ({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && (expiresAtMs === null || expiresAtMs > clock.nowMs()),
    );
    if (isUsable) return true;
  }
  return false;
}

/** Whether any trunk has a password, which is stored encrypted. */
export async function hasTrunkPasswords({ trunks }: Pick<Administration, 'trunks'>): Promise<boolean> {
  return (await trunks.list()).some(({ username }) => username !== null);
}
