import { randomUUID } from 'node:crypto';
import {
  accountIdSchema,
  callIdSchema,
  reservationIdSchema,
  type AccountId,
  type CallId,
  type ReservationId,
} from '@outdial/contracts';

export const newCallId = (): CallId => callIdSchema.parse(randomUUID());
export const newAccountId = (): AccountId => accountIdSchema.parse(randomUUID());
export const newReservationId = (): ReservationId => reservationIdSchema.parse(randomUUID());
