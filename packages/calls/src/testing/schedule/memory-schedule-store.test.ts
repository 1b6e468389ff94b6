import { scheduleRow } from '../accept/accept-row.ts';
import { MemoryAcceptStore } from '../accept/memory-accept-store.ts';
import { newAccountId } from '../ids.ts';
import { admitRow } from './admit-row.ts';
import { describeScheduleStore } from './describe-schedule-store.ts';
import { MemoryScheduleStore } from './memory-schedule-store.ts';

describeScheduleStore('in memory', async () => {
  const accountId = newAccountId();
  const token = { generation: 1, walTimeline: '00000001' };
  const accepts = new MemoryAcceptStore({ token, accountIds: [accountId] });
  return {
    store: new MemoryScheduleStore({ accepts, capacityOf: () => 10 }),
    accepts,
    scheduleRow: async (changes) => scheduleRow({ accountId }, changes),
    admitRow: async (taken, changes) => admitRow(taken, accepts.token, changes),
    find: async (call) => accepts.find(call.accountId, call.callId),
    suppress: async (row) => accepts.suppress(row),
    reachCap: async (row) => void accepts.capped.set(row.calleeNumber, Date.now() + 3_600_000),
    nextGeneration: async () => void (accepts.token = { ...accepts.token, generation: accepts.token.generation + 1 }),
    close: async () => undefined,
  };
});
