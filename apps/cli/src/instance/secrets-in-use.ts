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

/** Whether anything is stored that is sealed with the secret key. */
export async function hasSealedSecrets(
  administration: Pick<Administration, 'trunks' | 'hasSealedSecrets'>,
): Promise<boolean> {
  const hasPassword = (await administration.trunks.list()).some(({ username }) => username !== null);
  return hasPassword || administration.hasSealedSecrets();
}
