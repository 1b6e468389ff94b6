import { newAccountId } from '../ids.ts';
import { acceptRow, scheduleRow } from './accept-row.ts';
import { describeAcceptStore } from './describe-accept-store.ts';
import { MemoryAcceptStore } from './memory-accept-store.ts';

describeAcceptStore('in memory', async () => {
  const accountId = newAccountId();
  const store = new MemoryAcceptStore({ token: { generation: 1, walTimeline: '00000001' }, accountIds: [accountId] });
  return {
    store,
    row: async (changes) => acceptRow({ accountId }, store.token, changes),
    scheduleRow: async (changes) => scheduleRow({ accountId }, changes),
    find: async (row) => store.find(row.accountId, row.callId),
    suppress: async (row) => store.suppress(row),
    reachCap: async (row) => void store.capped.set(row.calleeNumber, Date.now() + 3_600_000),
    nextGeneration: async () => void (store.token = { ...store.token, generation: store.token.generation + 1 }),
    close: async () => undefined,
  };
});
