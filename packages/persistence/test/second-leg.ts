import { newCallId, newReservationId } from '@outdial/calls/testing';
import type { ClaimedCall, TransferLeg } from '@outdial/calls';
import { e164Schema, micros } from '@outdial/contracts';
import { createTransferStore } from '../src/transfers/transfer-store.ts';
import type { World } from './world.ts';

/** Begins the second leg of a claimed call. */
export async function beginSecondLeg(
  { database, reconciles }: Pick<World, 'database' | 'reconciles'>,
  call: ClaimedCall,
  holdMicros: number,
): Promise<TransferLeg> {
  const { id: callId, epoch, rate, limits } = call;
  const leg: TransferLeg = {
    legId: newCallId(),
    reservationId: newReservationId(),
    destination: 'Sales',
    calleeNumber: e164Schema.parse('+12025550142'),
    rate,
    holdMicros: micros(holdMicros),
    limits,
  };
  const token = await reconciles.currentToken();
  const { kind } = await createTransferStore(database).beginLeg({ callId, epoch, leg, writeAheadDial: true, token });
  if (kind !== 'begun') throw new Error(`the second leg was not begun: ${kind}`);
  return leg;
}
