import { debug, debugOrError, debugOrWarn, error, fatal, info, warn } from './log-event.ts';

const STORES = 'See OutdialStoreAway in the runbook.';

export const PROCESS_EVENTS = {
  'retention.deleted': info('Data older than its retention was deleted; `deleted` counts it by kind.'),
  'credential.unreadable': error(
    'A credential or a secret was sealed with another secret key.',
    'Rotate the credential, or set the secret again; `err` names it.',
  ),
  'dial_counts.swept': debug('Counts of dials that no cap counts any more were deleted.'),
  'dialing.paused': warn('An operator paused dialing; calls wait in the queue.', 'Resume it when the cause is fixed.'),
  'dialing.read_failed': debug('The worker could not read whether dialing is paused; the claim decides.'),
  'dialing.resumed': warn('An operator resumed dialing.'),
  'drain.handing_over': warn('The worker hands over the calls that it could not settle.', STORES),
  'drain.hanging_up': warn('The worker hangs up the calls that have not ended at the limit of its drain.'),
  'drain.started': info('The worker stops: it takes no more calls and lets the live ones end.'),
  'loop.round_failed': warn(
    'A round of background work failed; `loop` names it, and it is retried.',
    'Read `err`; see OutdialStoreAway in the runbook.',
  ),
  'metrics.listening': info('The worker serves its metrics at `metricsUrl`.'),
  'process.close_failed': warn('A connection did not close cleanly while the worker stopped.'),
  'process.defect': fatal(
    'An uncaught error stops the worker; its calls are settled first.',
    'Report it with `err`. The supervisor restarts the worker.',
  ),
  'process.listening': info('The API listens at `url`.'),
  'process.ready': info('The API has warmed up and answers at full speed.'),
  'process.stopped': info('The process has stopped.'),
  'process.warm_up_failed': debug('The walk that warms up the API failed; it is repeated.'),
  'redis.connection_failed': debug('A connection to Redis reported an error; it reconnects.'),
  'redis.setting_risky': warn(
    'A setting of Redis puts something at risk; the message says what.',
    'Change the setting as the message says.',
  ),
  'store.away': warn('A store, or the gate in Redis, went away; the message names it.', STORES),
  'store.back': warn('A store, or the gate in Redis, is back; the message names it.'),
  'traces.exported_again': warn('The collector takes spans again.'),
  'traces.export_failed': warn(
    'The collector took no spans, which are dropped and counted until it does. Calls do not wait for it.',
    'Read `err`; check `OTEL_EXPORTER_OTLP_ENDPOINT` and the collector.',
  ),
  'worker.drain_requested': warn('An operator drains the worker: it takes no more calls.'),
  'worker.leave_failed': debug('A stopping worker could not remove its registration; it expires.'),
  'worker.report_failed': debug('A worker could not report its state to operators; the next report follows.'),
  'worker.without_calls': info('The worker does what `roles` says; it takes no calls.'),
  'worker.resumed': warn('An operator resumed the worker: it takes calls again.'),
  'worker.stop_taking_failed': warn('The queue consumer did not confirm that it takes no more calls.', STORES),
  'worker.taking_calls': info('The worker takes calls.'),
} as const;

export const REQUEST_EVENTS = {
  'monitor.end_not_audited': warn(
    'A member stopped listening to a live call; the audit has the beginning alone.',
    STORES,
  ),
  'api_key.use_not_saved': warn('The time of the last use of some API keys was not saved.', STORES),
  'auth.library_logged': debug('The library for sign-in logged a warning.'),
  'email.delivered_again': warn('The mail server takes e-mails again.'),
  'email.finish_failed': debug(
    'Postgres did not take the outcome of an e-mail; it is repeated, or the e-mail is sent again.',
  ),
  'email.given_up': warn(
    'An e-mail was not sent and is not tried again: its recipient was rejected, its link has expired, or it stayed unreadable until then.',
    'Read `err`. See OutdialEmailsFail in the runbook if it repeats.',
  ),
  'email.link_not_sent': warn(
    'No mail server is configured; the line has the link that an e-mail would have.',
    'Configure a mail server, or pass the link on.',
  ),
  'email.not_composed': debug('An e-mail could not be written, as when Postgres is away; it is repeated.'),
  'email.not_delivered': debugOrWarn(
    'The mail server did not take an e-mail; it is sent again. Until an e-mail is taken, further ones are at `debug`.',
    'Read `err`. See OutdialEmailsFail in the runbook.',
  ),
  'email.round_failed': debugOrWarn(
    'E-mails that wait could not be read; the next round follows in a second. Failures in a row are at `debug`.',
    STORES,
  ),
  'email.unreadable': debugOrWarn(
    'A process cannot read an e-mail; it waits for one that can, until it expires. At `warn` once in ten minutes.',
    'Normal while versions or keys change. After that: give all API processes the same `OUTDIAL_SECRET_KEY`.',
  ),
  'identity.background_failed': warn('A link was not logged, or a sign-in attempt was not audited.', STORES),
  'mcp.rejected': debug('An MCP client sent a message that its protocol does not allow.'),
  'request.aborted': debugOrError(
    'An answer could not be sent; the connection was reset.',
    'At `error`: report it with `err`.',
  ),
  'request.answered': debug('A request was answered.'),
  'request.failed': error('A defect failed a request, which received `internal_error`.', 'Report it with `err`.'),
  'request.malformed': debug('The HTTP parser rejected a request.'),
  'request.overloaded': warn(
    'The process was too busy to serve a request.',
    'See OutdialEventLoopDelayed in the runbook.',
  ),
  'request.store_away': warn('A request was rejected because a store was away.', STORES),
  'sessions.swept': info('Expired sessions and links were deleted.'),
} as const;
