import type { Redis } from 'ioredis';
import type { GateModel } from '@outdial/calls/testing';

/** Everything that the gate stores, as one comparable value. The time of a hold is omitted: it is the clock's. */
export interface StoredState {
  readonly holds: Readonly<Record<string, string>>;
  readonly accounts: Readonly<Record<string, string>>;
  readonly token: string | null;
  readonly published: string | null;
  readonly system: string | null;
  readonly marked: boolean;
  readonly keys: readonly string[];
}

/** Read with plain commands, without the gate's own code. */
export async function readStoredState(redis: Redis): Promise<StoredState> {
  const [holds, accounts, gate, keys] = await Promise.all([
    redis.hgetall('{outdial}:holds'),
    redis.hgetall('{outdial}:accounts'),
    redis.hgetall('{outdial}:gate'),
    redis.keys('*'),
  ]);
  const systemCapacity = gate['systemCapacity'];
  return {
    holds: Object.fromEntries(Object.entries(holds).map(([id, text]) => [id, text.replace(/ \d+$/, '')])),
    accounts,
    token: gate['token'] ?? null,
    published: gate['published'] ?? null,
    system: systemCapacity === undefined ? null : `${systemCapacity} ${gate['systemCapacityVersion']}`,
    marked: gate['rebuilder'] !== undefined,
    keys: keys.toSorted(),
  };
}

/** The same value from the model. */
export function modelStoredState(model: GateModel): StoredState {
  const holds = [...model.holds].map(
    ([id, hold]) => [id, `${hold.accountId} ${hold.reservationId} ${hold.holdMicros}`] as const,
  );
  const accounts = [...model.accounts].map(([id, limits]) => {
    const known = `${limits.balanceMicros} ${limits.balanceVersion} ${limits.capacity} ${limits.capacityVersion}`;
    return [id, `${known} ${model.heldBy(id)} ${model.openCallsOf(id)}`] as const;
  });
  const keys = [
    ...(model.accounts.size > 0 ? ['{outdial}:accounts'] : []),
    ...(model.incarnation === null ? [] : ['{outdial}:gate']),
    ...(model.holds.size > 0 ? ['{outdial}:holds'] : []),
  ];
  return {
    holds: Object.fromEntries(holds),
    accounts: Object.fromEntries(accounts),
    token: tokenText(model.token),
    published: tokenText(model.published),
    system: model.system ? `${model.system.capacity} ${model.system.capacityVersion}` : null,
    marked: model.mark !== 'none',
    keys,
  };
}

function tokenText(token: GateModel['token']): string | null {
  return token ? `${token.generation}.${token.walTimeline}` : null;
}
