import type { ApiKeyId } from '@outdial/contracts';
import type { Clock, Timer } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** Records when keys were last used, outside the request. */
export interface KeyUsage {
  /** Returns at once. Written within some seconds, at most once a minute per key. */
  used(keyId: ApiKeyId): void;
  /** Writes what is pending. */
  flush(): Promise<void>;
}

export interface KeyUsageOptions {
  readonly clock: Clock;
  /** Receives a failed write; its keys are recorded again by their next use. */
  readonly onError: (error: unknown) => void;
}

const GATHER_MS = 5_000;
const INTERVAL_MS = 60_000;

export function createKeyUsage({ side }: Database, { clock, onError }: KeyUsageOptions): KeyUsage {
  let notedAtMs = new Map<ApiKeyId, number>();
  let unwritten = new Set<ApiKeyId>();
  let timer: Timer | null = null;

  async function flush(): Promise<void> {
    timer?.cancel();
    timer = null;
    const keyIds = [...unwritten];
    unwritten = new Set();
    // Drops entries that the next use would record anyway, so that deleted keys do not accumulate.
    notedAtMs = new Map([...notedAtMs].filter(([, atMs]) => clock.monotonicMs() - atMs < INTERVAL_MS));
    if (keyIds.length === 0) return;
    try {
      // Another process may be writing the same keys for the same minute: a locked row needs no second write.
      await side.$executeRaw`
        UPDATE api_keys SET last_used_at = clock_timestamp()
        WHERE id IN (SELECT k.id FROM api_keys k WHERE k.id = ANY(${keyIds}::uuid[])
          AND (k.last_used_at IS NULL OR k.last_used_at < clock_timestamp() - interval '1 minute')
          FOR NO KEY UPDATE SKIP LOCKED)`;
    } catch (error) {
      for (const keyId of keyIds) notedAtMs.delete(keyId);
      onError(error);
    }
  }

  return {
    used(keyId) {
      const nowMs = clock.monotonicMs();
      const lastMs = notedAtMs.get(keyId);
      if (lastMs !== undefined && nowMs - lastMs < INTERVAL_MS) return;
      notedAtMs.set(keyId, nowMs);
      unwritten.add(keyId);
      timer ??= clock.after(GATHER_MS, () => void flush());
    },
    flush,
  };
}
