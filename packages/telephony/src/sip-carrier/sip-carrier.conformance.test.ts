import { describeCarrier, trunkOf } from '@outdial/calls/testing';
import type { IncomingSession } from '@outdial/sip';
import { afterAll, beforeAll } from 'vitest';
import { openCarrier, TrunkPeer, type CarrierWorld } from '../../test/sip-trunk.ts';
import { dialRequest, settings } from '../testing/dial-request.ts';

const NUMBERS = { leaves: '+12025550105', stays: '+12025550108', rings: '+12025550102', busy: '+12025550101' } as const;

let peer: TrunkPeer;
let world: CarrierWorld;
beforeAll(async () => {
  peer = await TrunkPeer.open(behave);
  // A leg that another process ended learns of it by silence alone.
  world = await openCarrier({ trunks: [trunkOf({ uri: peer.uri })], noAudioAfterMs: 2_000 });
});
afterAll(async () => {
  await world.close();
  await peer.close();
});

/** A telephone whose number says what it does. */
function behave(call: IncomingSession, at: TrunkPeer): void {
  const { calledNumber } = call;
  if (calledNumber === NUMBERS.busy) return call.reject(486);
  call.ring();
  if (calledNumber === NUMBERS.rings) return;
  call.answer(at.audio);
  // Its BYE waits for the ACK.
  if (calledNumber === NUMBERS.leaves) call.hangUp();
}

describeCarrier('SIP to a peer on this machine', async () => {
  const before = peer.calls.length;
  return {
    carrier: world.carrier,
    request: (callee, changes) => dialRequest(NUMBERS[callee], changes),
    reached: () => peer.calls.length - before,
    attach({ callId }, leg) {
      const conversation = world.media.conversations.open({ callId, leg, settings, variables: {} });
      return (event) => {
        if (event.kind === 'answered') conversation.answered();
        if (event.kind === 'ended') void conversation.finish();
      };
    },
    close: async () => undefined,
  };
});
