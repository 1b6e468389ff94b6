import type { Call, CallEvent } from '@outdial/calls';
import {
  CALL_EVENT_TYPES,
  WEBHOOK_TYPE_OF_EVENT,
  type CallEventType,
  type CallStatus,
  type CallWebhookType,
} from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import { timestampOrNull } from '@outdial/presentation';
import { exampleCall } from './example-call.ts';
import type { CallWebhookFacts } from './versions/2026-12-01.ts';

/** A made-up call as it is when a webhook of this type is sent, about one minute after its acceptance. */
export function exampleFacts(type: CallWebhookType, atMs: number): CallWebhookFacts {
  const eventType = eventTypeOf(type);
  const call = exampleCall(statusOf(type), atMs);
  const event: CallEvent = { id: '4711', atMs, type: eventType, data: dataOf(type, call) };
  return { type, occurredAtMs: atMs, event, call };
}

function eventTypeOf(type: CallWebhookType): CallEventType {
  const found = CALL_EVENT_TYPES.find((event) => WEBHOOK_TYPE_OF_EVENT[event] === type);
  invariant(found !== undefined, `an event becomes the webhook ${type}`);
  return found;
}

function dataOf(type: CallWebhookType, { schedule }: Call): CallEvent['data'] {
  if (type === 'call.scheduled' && schedule) return { scheduled_for: timestampOrNull(schedule.scheduledForMs) };
  if (type === 'call.answered_by') return { answered_by: 'human' };
  if (type === 'call.opted_out') return { evidence: 'key' };
  return type === 'call.ended' ? { ended_reason: 'agent_hangup' } : {};
}

function statusOf(type: CallWebhookType): CallStatus {
  switch (type) {
    case 'call.scheduled':
      return 'scheduled';
    case 'call.queued':
      return 'queued';
    case 'call.dialing':
      return 'dialing';
    case 'call.ringing':
      return 'ringing';
    case 'call.answered':
    case 'call.answered_by':
    case 'call.opted_out':
      return 'in_progress';
    case 'call.ended':
    case 'call.recording_ready':
    case 'call.analyzed':
      return 'ended';
    default:
      return unreachable(type);
  }
}
