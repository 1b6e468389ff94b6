import type { CallFilter } from '@outdial/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertEndedCalls } from '../../test/many-calls.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createExportCalls } from './export-calls.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  await insertEndedCalls(world.database, [party, await world.party()], 2_300);
  await world.queued(party);
});
afterAll(() => world.close());

async function exported(filter: CallFilter, betweenPages = async () => {}) {
  const pages = [];
  for await (const page of createExportCalls(world.database)({ accountId: party.accountId, filter })) {
    pages.push(page.calls);
    await betweenPages();
  }
  return pages;
}
const listed = (filter: CallFilter) =>
  world.reader.list({ accountId: party.accountId, filter, after: null, limit: 10_000 });

test('returns the same calls as the list, page by page, while new calls arrive', async () => {
  const before = await listed({});
  const pages = await exported({}, async () => void (await world.queued(party)));
  expect(pages.map(({ length }) => length)).toEqual([500, 500, 151]);
  expect(pages.flat()).toEqual(before);
});

test.each<CallFilter>([{ status: 'ended' }, { endedReason: 'busy' }, { endedReason: 'no_audio' }])(
  'with the filter %o',
  async (filter) => {
    expect((await exported(filter)).flat()).toEqual(await listed(filter));
  },
);

test('without transcripts', async () => {
  const call = await world.claimed(party);
  const turn = { role: 'agent', text: 'Hi', start_ms: 0, end_ms: 9, source: 'script', interrupted: false } as const;
  await world.drives.settle(settlementOf(call, { transcript: [turn] }));
  const [page] = await exported({});
  expect(page?.find(({ id }) => id === call.id)).toMatchObject({ status: 'ended', transcript: null });
});
