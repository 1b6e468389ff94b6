import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { AdmitWorld, type Asked, type Fault } from '../../test/admit-world.ts';

const QUESTIONS: readonly Asked[] = [
  'beginTurns',
  'takeDue',
  'findAccount',
  'reserve',
  'admit',
  'voidReservation',
  'putBack',
  'endTurn',
];

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom<Fault>('hangs', 'rejects', 'lost'),
  fc.record({ lateMs: fc.integer({ min: 1, max: 12_000 }) }),
);
const faults = fc.dictionary(fc.constantFrom(...QUESTIONS), fault, { maxKeys: 3 });

/** What the reconcile loop does: a hold without a call is voided and released, a call without a job gets one. */
async function reconcile(world: AdmitWorld): Promise<void> {
  for (const [callId, hold] of world.gate.model.holds) {
    const decision = await world.accepts.voidReservation(hold.reservationId);
    if (decision === 'voided') await world.gate.release({ callId, ...hold });
  }
  const queued = [...world.accepts.calls.values()].filter(({ status }) => status === 'queued');
  await world.queue.add(queued.map(({ id }) => id));
}

it('whatever fails and however late it acts, each call is queued once in the end, with its own hold', async () => {
  await fc.assert(
    fc.asyncProperty(faults, fc.integer({ min: 1, max: 9 }), async (chosen, count) => {
      const world = new AdmitWorld();
      const calls = await world.scheduleMany(count);
      for (const [question, how] of Object.entries(chosen)) {
        const asked = QUESTIONS.find((each) => each === question);
        if (asked) world.faults.set(asked, how);
      }
      for (let round = 0; round < 3; round += 1) {
        void world.admitDue.round(world.stopping.signal).catch(() => undefined);
        await world.pass(5_000);
      }
      // A job is only ever added for a call that is queued.
      for (const callId of world.jobs) expect(world.stateOf(callId)).toBe('queued');
      world.faults.clear();
      await world.pass(15_000);
      await reconcile(world);
      // A turn that hangs for ever is that of a process that is gone: another worker goes on.
      const next = world.anotherWorker();
      for (let round = 0; round < 3; round += 1) {
        await next.round(world.stopping.signal);
        await next.idle();
        await world.pass(13_000);
      }
      expect(calls.map((callId) => world.stateOf(callId))).toEqual(calls.map(() => 'queued'));
      expect(world.holds.toSorted()).toEqual(calls.toSorted());
      const reservations = [...world.gate.model.holds.values()].map(({ reservationId }) => reservationId);
      for (const reservationId of reservations) expect(await world.accepts.voidReservation(reservationId)).toBe('used');
    }),
    { numRuns: 150 },
  );
}, 60_000);
