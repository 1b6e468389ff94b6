import { debug, error, info, warn } from './log-event.ts';

const STORES = 'See OutdialStoreAway in the runbook.';

export const QUEUE_EVENTS = {
  'changes.read_failed': warn('The changes of calls could not be read for streams; the next round retries.', STORES),
  'changes.subscription_ended': debug('Redis ended the subscription to change hints; streams read every second.'),
  'gate.abandon_failed': warn(
    'A worker whose rebuild of the gate failed could not return the right to rebuild; the right expires within seconds.',
    STORES,
  ),
  'gate.closed': warn(
    'Postgres has failed over or Redis kept old contents: the gate is closed, and workers rebuild it.',
    'See OutdialGateClosed in the runbook if it repeats.',
  ),
  'gate.hold_released': warn(
    'A reservation without a call was released: an API died between the reservation and the COMMIT.',
    'See OutdialReconcileFindings in the runbook.',
  ),
  'gate.rebuild_failed': warn(
    'The admission gate was not rebuilt; the next attempt follows.',
    'See OutdialGateClosed in the runbook.',
  ),
  'gate.rebuild_superseded': warn('Another process rebuilt the gate first, or the gate closed again.'),
  'gate.rebuilt': info('The gate was rebuilt from Postgres and is open.'),
  'queue.add_failed': warn('The queue did not take accepted calls; the reconcile loop adds them.', STORES),
  'queue.calls_requeued': warn(
    'Calls had lost their jobs; the reconcile loop queued them again.',
    'See OutdialReconcileFindings in the runbook.',
  ),
  'queue.connection_failed': debug('A connection of the queue to Redis reported an error; it reconnects.'),
  'queue.consumer_failed': debug('The queue consumer reported an error; it continues.'),
  'queue.consumer_replaced': warn(
    'The queue consumer took no call although calls waited; the worker replaced it.',
    'Check Redis if it repeats.',
  ),
  'queue.consumer_stopped': error(
    'The queue consumer ended with an error.',
    'Watch that the worker takes calls again; restart it if it does not.',
  ),
  'queue.job_dropped': error(
    'A job named no call and was dropped.',
    'Find the other program that writes into this Redis.',
  ),
  'queue.job_failed': error(
    'Driving a call failed; its job runs again, and the claim keeps the call from a second dial.',
    'Read `err`.',
  ),
  'queue.locks_lost': warn(
    'Redis lost the locks of jobs: it restarted, or the worker stood still. Calls are not dialed twice: the claim decides.',
    STORES,
  ),
  'queue.requeue_failed': warn(
    'Waiting calls were not queued again after a rebuild of the gate; the reconcile loop queues them.',
    STORES,
  ),
  'queue.signal_rejected': warn(
    'A signal in Redis named no call and was ignored.',
    'Find the other program that writes into this Redis.',
  ),
  'listeners.round_failed': warn('Webhooks could not be handed to listeners; the next round retries.', STORES),
  'reconcile.part_failed': warn('A part of a reconcile sweep failed; the next sweep repeats it.', STORES),
  'timelines.read_failed': warn('Timelines could not be read for streams; the next round retries.', STORES),
  'turns.read_failed': warn('Turns of calls could not be read for streams; the next round retries.', STORES),
  'waiting_times.read_failed': debug(
    'The waiting times or the scheduled calls could not be read for the Operations page.',
  ),
} as const;
