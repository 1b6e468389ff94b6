import type { ClaimedCall } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, LEASE_MS, WORKER, type Party, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { isDiallingPaused } from '../operations/dialling-state.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
});
afterAll(() => world.close());

const dialling = (actor = 'ops') => createAdministration(world.database, { actor }).dialling;
const pause = () => dialling().set({ paused: true });
const resume = () => dialling().set({ paused: false });
afterEach(resume);

const claimOf = ({ id: callId }: { readonly id: CallId }) =>
  world.drives.claim({ callId, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: false });

const reclaim = ({ id: callId, epoch }: Pick<ClaimedCall, 'id' | 'epoch'>) =>
  world.drives.reclaim({ callId, epoch, leaseMs: LEASE_MS });

describe('the pause switch', () => {
  test('records who changed it last and when, and is audited once per change', async () => {
    expect(await dialling().show()).toEqual({ paused: false, changedAtMs: null, changedBy: null });
    const at = { changedAtMs: expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 60_000) };
    expect(await dialling('alice').set({ paused: true })).toEqual({ paused: true, changedBy: 'alice', ...at });
    expect(await dialling('bob').set({ paused: true })).toMatchObject({ paused: true, changedBy: 'alice' });
    expect(await isDiallingPaused(world.database)).toBe(true);
    expect(await dialling('bob').set({ paused: false })).toMatchObject({ paused: false, changedBy: 'bob' });
    const audit = await world.database.side.$queryRaw`
      SELECT actor, action FROM audit_entries WHERE subject_type = 'dialling' ORDER BY id`;
    expect(audit).toEqual([
      { actor: 'alice', action: 'dialling.pause' },
      { actor: 'bob', action: 'dialling.resume' },
    ]);
  });

  test('cannot be on without a recorded actor', async () => {
    const changing = world.database.side.$executeRaw`
      UPDATE system_settings SET dialling_paused = true, dialling_changed_at = NULL, dialling_changed_by = NULL`;
    await expect(changing).rejects.toThrow('system_settings_dialling_check');
  });
});

describe('while dialing is paused', () => {
  test('no call is claimed; after the pause each is', async () => {
    const call = await world.queued(party);
    await pause();
    expect(await claimOf(call)).toEqual({ kind: 'paused' });
    expect(await world.reader.find(party.accountId, call.id)).toMatchObject({ status: 'queued' });
    await resume();
    expect(await claimOf(call)).toMatchObject({ kind: 'claimed', call: { epoch: 1 } });
  });

  test('queued calls can still end', async () => {
    const expired = await world.queued(party, { queueTtlSeconds: 0 });
    await pause();
    expect(await claimOf(expired)).toEqual({ kind: 'refused', reason: 'queue_expired' });
  });

  test('no dial attempt begins; after the pause one does', async () => {
    const attempts = createDialAttemptStore(world.database);
    const { id: callId, epoch } = await world.claimed(party);
    const begin = async () =>
      attempts.beginAttempt({
        callId,
        epoch,
        carrier: 'sip',
        trunk: newTrunkName(),
        dialog: {},
        number: 1,
        token: await world.reconciles.currentToken(),
      });
    await pause();
    expect(await begin()).toEqual({ kind: 'paused' });
    const [row] = await world.database.side.$queryRaw<{ attempts: bigint }[]>`
      SELECT count(*) AS attempts FROM call_attempts WHERE call_id = ${callId}::uuid`;
    expect(row?.attempts).toBe(0n);
    await resume();
    expect(await begin()).toEqual({ kind: 'written', endRequested: false });
  });
});

describe('a claimed call that was not dialed', () => {
  test('waits while dialing is paused; then its start time and lease restart, with the same epoch', async () => {
    const call = await world.claimed(party);
    await pause();
    expect(await reclaim(call)).toEqual({ kind: 'paused' });
    await resume();
    await world.database.side.$executeRaw`
      UPDATE calls SET lease_renewed_at = now() - interval '50 s', lease_expires_at = now() + interval '10 s'
      WHERE id = ${call.id}::uuid`;
    expect(await reclaim(call)).toEqual({ kind: 'claimed' });
    const [row] = await world.database.side.$queryRaw<{ epoch: number; startedAtMs: number; leaseMs: number }[]>`
      SELECT epoch, epoch_ms(started_at) AS "startedAtMs", epoch_ms(lease_expires_at) - epoch_ms(started_at) AS "leaseMs"
      FROM calls WHERE id = ${call.id}::uuid`;
    expect(row).toMatchObject({ epoch: call.epoch, leaseMs: LEASE_MS });
    expect(row?.startedAtMs).toBeGreaterThan(call.startedAtMs);
  });

  test('is rejected for the same reasons as a claim', async () => {
    const asked = await world.claimed(party);
    await world.ends.requestEnd({ accountId: party.accountId, callId: asked.id });
    expect(await reclaim(asked)).toEqual({ kind: 'refused', reason: 'cancelled' });
    const late = await world.claimed(party);
    await world.database.side.$executeRaw`UPDATE calls SET expires_at = now() WHERE id = ${late.id}::uuid`;
    expect(await reclaim(late)).toEqual({ kind: 'refused', reason: 'queue_expired' });
    const disabled = await world.party();
    const call = await world.claimed(disabled);
    await world.database.side.$executeRaw`UPDATE accounts SET enabled = false WHERE id = ${disabled.accountId}::uuid`;
    expect(await reclaim(call)).toEqual({ kind: 'refused', reason: 'cancelled' });
  });

  test('is not reclaimed if it is another worker’s, was handed over, or is answered', async () => {
    const call = await world.claimed(party);
    expect(await reclaim({ ...call, epoch: call.epoch + 1 })).toEqual({ kind: 'fenced' });
    await world.drives.handOver({ callId: call.id, epoch: call.epoch });
    expect(await reclaim(call)).toEqual({ kind: 'fenced' });
    const answered = await world.claimed(party);
    await world.drives.advance({
      callId: answered.id,
      epoch: answered.epoch,
      to: 'in_progress',
      atMs: answered.startedAtMs + 1_000,
    });
    expect(await reclaim(answered)).toEqual({ kind: 'fenced' });
  });
});

test('a claim that was sent after the pause was committed never succeeds, with any number in flight', async () => {
  for (let round = 0; round < 5; round += 1) {
    const calls = await Promise.all(Array.from({ length: 40 }, () => world.queued(party)));
    let committed = false;
    const pausing = pause().then(() => (committed = true));
    const held: boolean[] = [];
    for (const call of calls) {
      const sentAfter = committed;
      const outcome = await claimOf(call);
      if (sentAfter) held.push(outcome.kind === 'claimed');
    }
    await pausing;
    expect(held).not.toContain(true);
    await resume();
    const outcomes = await Promise.all(calls.map((call) => claimOf(call)));
    expect(outcomes.every(({ kind }) => kind === 'claimed' || kind === 'leased')).toBe(true);
  }
});
