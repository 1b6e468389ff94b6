import { CALL_STATUSES, type CallBody, type CallEventBody, type CallStatus } from '@outdial/contracts';

/** The statuses that an open call passes. A call that was queued when it was created never was `scheduled`. */
export function progressSteps(
  call: Pick<CallBody, 'status' | 'scheduled_for'>,
  events: readonly Pick<CallEventBody, 'type'>[],
): readonly CallStatus[] {
  // A call that found every slot taken was scheduled without a time: its timeline alone says so.
  const wasScheduled =
    call.status === 'scheduled' || call.scheduled_for !== null || events.some(({ type }) => type === 'scheduled');
  return wasScheduled ? CALL_STATUSES : CALL_STATUSES.filter((status) => status !== 'scheduled');
}
