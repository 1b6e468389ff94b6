import { callEventListSchema } from '@outdial/contracts';
import { z } from 'zod';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

/** With `Accept: text/event-stream` the same as server-sent events: 200, or 204 when nothing more will come. */
export const listEventsContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls/:call_id/events',
  scope: 'outbound',
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
      'The timeline as a list, or with `Accept: text/event-stream` as server-sent events: past events, then each event as it happens, in order and once. Until the call has ended, the stream also has an event `turn` for each turn that was spoken (a LiveTurn as JSON: the fields of a turn of the transcript, its `index`, and in `replaces` the indexes of earlier turns whose place it takes). The stream ends after `ended`, or, while an analysis of the call is pending, after `analyzed`; at the latest two minutes after `ended`. `recording_available` may follow `ended` too: read the list for it. A comment every 15 seconds keeps it alive.',
    headers: {
      'Last-Event-ID': z
        .string()
        .describe('For a stream: continue after this event. Must be the id of an event of the call.'),
      'Last-Turn-Index': z
        .string()
        .describe(
          'For a stream: the `index` of the last turn that the client has. Without it, all turns of the call are sent again.',
        ),
    },
    answers: {
      200: {
        description: 'The timeline.',
        media: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description:
                '`id`, `event` (its type) and `data` (a CallEvent or, for `turn`, a LiveTurn as JSON) of each.',
            },
            example:
              'retry: 2000\n\nid: 4711\nevent: queued\ndata: {"id":"4711","at":"2026-11-20T14:26:00.123Z","type":"queued","data":{}}\n\n',
          },
        },
      },
      204: {
        description:
          'For a stream: the call has ended, `Last-Event-ID` is its last event, and no analysis is awaited. Do not reconnect.',
      },
    },
  },
});
