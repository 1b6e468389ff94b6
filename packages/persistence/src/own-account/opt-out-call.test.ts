import { e164Schema, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listOf } from '../../test/suppressions.ts';
import { createWorld, newCallId, settlementOf, type Party, type World } from '../../test/world.ts';

const ADA = e164Schema.parse('+12025551000');

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
});

const optOut = (callId: CallId, reason?: string) =>
  listOf(world.database, party.accountId).optOutCall({ callId, source: 'dashboard', reason });
const optOutsOf = async (callId: CallId) =>
  (await world.reader.events(party.accountId, callId))?.filter(({ type }) => type === 'opted_out');

test('an opt-out of a call puts its callee on the list, and says so in its timeline', async () => {
  const call = await world.claimed(party);
  expect(await optOut(call.id, 'stop it')).toMatchObject({
    number: call.calleeNumber,
    kind: 'opt_out',
    source: 'dashboard',
    reason: 'stop it',
    callId: call.id,
  });
  expect(await optOutsOf(call.id)).toMatchObject([{ data: { evidence: 'request', note: 'stop it' } }]);
});

test('repeated, even at once, it changes nothing', async () => {
  const { id } = await world.queued(party);
  const answers = await Promise.all([optOut(id), optOut(id), optOut(id), optOut(id)]);
  expect(new Set(answers.map((answer) => answer?.id)).size).toBe(1);
  expect(await optOutsOf(id)).toHaveLength(1);
});

test('repeated, it looks for no scheduled calls again', async () => {
  const { id } = await world.queued(party);
  let statements = 0;
  const side = new Proxy(world.database.side, {
    get(target, name) {
      if (name === '$queryRaw') statements += 1;
      return Reflect.get(target, name);
    },
  });
  const list = listOf({ ...world.database, side }, party.accountId);
  const optOutAgain = async () => {
    statements = 0;
    await list.optOutCall({ callId: id, source: 'api' });
    return statements;
  };
  expect([await optOutAgain(), await optOutAgain()]).toEqual([3, 2]);
});

test('a second call to the number names the same entry, and has its own event', async () => {
  const [first, second] = [await world.queued(party), await world.queued(party)];
  expect(await optOut(second.id)).toEqual(expect.objectContaining({ callId: second.id }));
  expect(await optOut(first.id)).toEqual(expect.objectContaining({ callId: second.id }));
  expect([await optOutsOf(first.id), await optOutsOf(second.id)]).toMatchObject([[{}], [{}]]);
});

test('an opt-out holds for a call that has ended, and a call that talks goes on', async () => {
  const [ended, talking] = [await world.claimed(party), await world.claimed(party)];
  await world.drives.settle(settlementOf(ended));
  expect([await optOut(ended.id), await optOut(talking.id)]).toMatchObject([{ kind: 'opt_out' }, { kind: 'opt_out' }]);
  expect(await world.reader.find(party.accountId, talking.id)).toMatchObject({ status: 'dialing' });
});

test('a call of another account, or none, is not found, and its callee is on no list', async () => {
  const other = await world.party();
  const theirs = await world.queued(other, { calleeNumber: ADA });
  expect([await optOut(theirs.id), await optOut(newCallId())]).toEqual([null, null]);
  for (const { accountId } of [party, other]) {
    expect(await listOf(world.database, accountId).check([ADA])).toMatchObject([{ by: null }]);
  }
});

test('what is scheduled to the number ends, and all changed calls are announced', async () => {
  const call = await world.queued(party, { calleeNumber: ADA });
  const later = await world.scheduled(party, { calleeNumber: ADA });
  const announced: CallId[] = [];
  const ended = new Promise<void>((resolve) => {
    const onCommitted = (ids: readonly CallId[]) => {
      announced.push(...ids);
      if (announced.length === 2) resolve();
    };
    void listOf(world.database, party.accountId, { onCommitted }).optOutCall({ callId: call.id, source: 'api' });
  });
  await ended;
  expect(announced).toEqual([call.id, later.id]);
  expect(await world.reader.find(party.accountId, later.id)).toMatchObject({ endedReason: 'suppressed' });
});
