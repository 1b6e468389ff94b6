import { admitRow, describeScheduleStore } from '@outdial/calls/testing';
import { afterAll, beforeAll } from 'vitest';
import { reachCap } from '../../test/policies.ts';
import { suppress } from '../../test/suppress.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describeScheduleStore('in Postgres', async () => {
  const party = await world.party();
  return {
    store: world.schedules,
    accepts: world.accepts,
    scheduleRow: (changes) => world.scheduleRow(party, changes),
    admitRow: async (taken, changes) => admitRow(taken, await world.reconciles.currentToken(), changes),
    find: ({ accountId, callId }) => world.reader.find(accountId, callId),
    suppress: ({ accountId, calleeNumber: number }) => suppress(world.database, { accountId, number }),
    reachCap: ({ accountId, calleeNumber: number }) => reachCap(world.database, { accountId, number }),
    nextGeneration: async () => void (await world.reconciles.nextGeneration()),
    close: async () => undefined,
  };
});
