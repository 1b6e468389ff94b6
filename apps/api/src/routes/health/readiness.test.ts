import { expect, it, vi } from 'vitest';
import { createReadinessCheck } from './readiness.ts';

const token = { generation: 1, timeline: '00000001' };

function withStores(stores: { readonly postgres: boolean; readonly gate: 'open' | 'closed' | 'away' }) {
  const requestRebuild = vi.fn<() => void>();
  const check = createReadinessCheck({
    pingPostgres: () => (stores.postgres ? Promise.resolve() : Promise.reject(new Error('away'))),
    gate: {
      async state() {
        if (stores.gate === 'away') throw new Error('away');
        return { open: stores.gate === 'open', token, slotsInUse: 0 };
      },
    },
    requestRebuild,
    isWarm: () => true,
  });
  return { check, requestRebuild };
}

it('says of each store whether it answers, and is warm only where all do', async () => {
  const up = { postgres: 'up', redis: 'up', gate: 'open', warm: true };
  expect(await withStores({ postgres: true, gate: 'open' }).check()).toEqual(up);
  expect(await withStores({ postgres: false, gate: 'open' }).check()).toEqual({ ...up, postgres: 'away', warm: false });
  const away = { ...up, redis: 'away', gate: 'unknown', warm: false };
  expect(await withStores({ postgres: true, gate: 'away' }).check()).toEqual(away);
});

it('has a closed gate rebuilt', async () => {
  const { check, requestRebuild } = withStores({ postgres: true, gate: 'closed' });
  expect(await check()).toMatchObject({ gate: 'closed', warm: false });
  expect(requestRebuild).toHaveBeenCalledOnce();
});
