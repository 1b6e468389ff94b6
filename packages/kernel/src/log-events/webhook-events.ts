import { debug, error, info, warn } from './log-event.ts';

const WAIT = 'See OutdialWebhooksWait in the runbook if it repeats.';

export const WEBHOOK_EVENTS = {
  'webhook.attempt_failed': error(
    'A defect ended an attempt of a webhook; it is sent again a minute later.',
    'Report it with the error.',
  ),
  'webhook.body_failed': error(
    'The body of a webhook cannot be formed; nothing is sent, and it is tried again by the schedule.',
    'Read the error: a row of the call, or the version of the endpoint, is not one that this version knows.',
  ),
  'webhook.endpoints_disabled': warn(
    'Webhook endpoints failed for days and were disabled; their owners have a notice.',
    'See OutdialWebhooksWait in the runbook if they are many.',
  ),
  'webhook.expired_deleted': debug('Webhooks older than `OUTDIAL_WEBHOOK_RETENTION_DAYS` were deleted.'),
  'webhook.finish_failed': warn(
    'Postgres did not take the outcome of a webhook; the worker repeats it, or the webhook is sent again.',
    WAIT,
  ),
  'webhook.hints_missing': debug('Redis took no subscription to change hints; webhooks are sent every second.'),
  'webhook.no_secret_key': info(
    'The worker has no secret key, so it sends no webhooks.',
    'Set `OUTDIAL_SECRET_KEY`, or leave `webhooks` out of `OUTDIAL_WORKER_ROLES`.',
  ),
  'webhook.orphans_dropped': info('Webhooks that waited for an endpoint that is gone or disabled were dropped.'),
  'webhook.release_failed': warn(
    'Postgres did not take back webhooks that were claimed and not sent; each may lose one of its tries.',
    WAIT,
  ),
  'webhook.round_failed': warn('A round of sending webhooks failed; the next one follows.', WAIT),
  'webhook.secret_unreadable': error(
    'The secret of a webhook endpoint was sealed with another secret key; nothing is sent to it.',
    'Restore `OUTDIAL_SECRET_KEY`, or ask the owner to rotate the secret.',
  ),
} as const;
