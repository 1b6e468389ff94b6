import {
  createdWebhookListenerSchema,
  createWebhookListenerSchema,
  webhookListenerParamsSchema,
  webhookResultSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const LISTENERS_PATH = '/api/v1/webhook-listeners';
const LISTENER_PATH = `${LISTENERS_PATH}/:listener_id` as const;
/** How many an account has at once. */
export const MAX_LISTENERS = 5;

export const createListenerContract = defineContract({
  method: 'POST',
  path: LISTENERS_PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createWebhookListenerSchema,
  responses: { 201: createdWebhookListenerSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'secret_key_missing'],
  docs: {
    operationId: 'createWebhookListener',
    tag: 'Webhooks',
    summary: 'Create a listener for local development',
    description: `From then on, what happens to the calls of the account waits for this listener. A program reads it as a stream and forwards it to a receiver that the service cannot reach, as \`outdial listen\` does. A listener ends two minutes after its last stream, and what waits for it is dropped. An account has at most ${MAX_LISTENERS} at once: more is \`rate_limited\`.`,
    answers: {
      201: { description: 'The listener, and the secret that signs its messages. No other response contains it.' },
    },
  },
});

export const endListenerContract = defineContract({
  method: 'DELETE',
  path: LISTENER_PATH,
  scope: 'manage',
  params: webhookListenerParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['webhook_listener_not_found'],
  docs: {
    operationId: 'deleteWebhookListener',
    tag: 'Webhooks',
    summary: 'End a listener',
    description: 'Ends its streams, and drops what waits for it. Its deliveries stay in the log for an hour.',
    answers: { 204: { description: 'The listener has ended.' } },
  },
});

export const streamListenerContract = defineContract({
  method: 'GET',
  path: `${LISTENER_PATH}/stream`,
  scope: 'manage',
  params: webhookListenerParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['webhook_listener_not_found', 'secret_key_missing'],
  docs: {
    operationId: 'streamWebhookListener',
    tag: 'Webhooks',
    summary: 'Follow a listener',
    description:
      'Server-sent events: each event `webhook` is a signed request to forward (a ListenerWebhook as JSON), with the headers and the bytes that an endpoint gets. Report its result within 30 seconds, or it is sent again, with the next `attempt`. Each goes to one stream. Of one call, an event follows once the one before it has a result; at most ten wait for their results. A stream that breaks loses nothing: open it again within two minutes. A comment every 15 seconds keeps it alive.',
    answers: {
      200: {
        description: 'The messages.',
        media: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description: '`event` (always `webhook`) and `data` (a ListenerWebhook as JSON) of each.',
            },
            example:
              'retry: 2000\n\nevent: webhook\ndata: {"message_id":"01991f3e-62b1-7d4f-8e50-7b8c9d0e1f2a","attempt":1,"type":"call.ended",…}\n\n',
          },
        },
      },
    },
  },
});

export const storeResultContract = defineContract({
  method: 'POST',
  path: `${LISTENER_PATH}/results`,
  scope: 'manage',
  params: webhookListenerParamsSchema,
  query: NO_QUERY,
  body: webhookResultSchema,
  responses: {},
  errors: ['body_too_large', 'unsupported_media_type', 'webhook_listener_not_found', 'webhook_message_not_found'],
  docs: {
    operationId: 'reportWebhookResult',
    tag: 'Webhooks',
    summary: 'Report what a receiver answered',
    description:
      'Logs the attempt and ends the delivery: `delivered` for 2xx, `failed` for anything else. It is not repeated by itself; resend the message with the id of the listener as `endpoint_id`. To report the same attempt twice changes nothing.',
    answers: { 204: { description: 'The result was stored.' } },
  },
});
