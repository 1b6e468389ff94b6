import { micros } from '@outdial/contracts';
import { calleePlace } from '@outdial/policies';
import type { GateToken } from '../../ports/gate.ts';
import type { AdmitRow, TakenCall } from '../../ports/schedule-store.ts';
import { newReservationId } from '../ids.ts';

/** A taken call with a reservation, as the gate grants it under `token`. */
export function admitRow(
  { callId, admitToken }: TakenCall,
  token: GateToken,
  changes: Partial<AdmitRow> = {},
): AdmitRow {
  return {
    callId,
    admitToken,
    reservationId: newReservationId(),
    token,
    holdMicros: micros(29_000),
    rate: {
      prefix: '1202',
      connectionFeeMicros: micros(1_000),
      pricePerMinuteMicros: micros(14_000),
      initialIncrementSeconds: 30,
      incrementSeconds: 6,
    },
    conducted: null,
    place: calleePlace('+12025550143', null),
    ...changes,
  };
}
