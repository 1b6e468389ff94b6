import { callEventListSchema } from '@outdial/contracts';
import { z } from 'zod';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

/** With `Accept: text/event-stream` the same as server-sent events: 200, or 204 once there is nothing more to come. */
export const listEventsContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls/:call_id/events',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: callEventListSchema },
  errors: ['call_not_found'],
  docs: {
    operationId: 'listCallEvents',
    tag: 'Calls',
    summary: 'Read or follow a call’s timeline',
    description:
      'The timeline as a list, or with `Accept: text/event-stream` as server-sent events: what was so far, then each event as it happens, in order and once, and after `ended` the end of the stream. A comment every 15 seconds keeps it alive.',
    headers: {
      'Last-Event-ID': z.string().describe('Of a stream: goes on after this event. Must be one of the call’s.'),
    },
    answers: {
      200: {
        description: 'The timeline.',
        media: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description: '`id`, `event` (its type) and `data` (a CallEvent as JSON) of each.',
            },
            example:
              'retry: 2000\n\nid: 4711\nevent: queued\ndata: {"id":"4711","at":"2026-11-20T14:26:00.123Z","type":"queued","data":{}}\n\n',
          },
        },
      },
      204: { description: 'Of a stream: the call has ended, and `Last-Event-ID` is its last event. Ask no more.' },
    },
  },
});
