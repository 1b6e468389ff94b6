import { debug, error, info, warn } from './log-event.ts';

const STORES = 'See OutdialStoreAway in the runbook.';

export const CALL_EVENTS = {
  'call.credentials_not_opened': error('The credentials of a call’s models could not be opened.', 'Read `err`.'),
  'admission.calls_expired': info(
    'Scheduled calls were not dialed before their time was over; they have ended `schedule_expired`.',
  ),
  'admission.interrupted': warn(
    'A store did not answer, or the gate was closed, while scheduled calls were admitted; they wait and are tried again.',
    STORES,
  ),
  'admission.turn_failed': warn(
    'The scheduled calls of an account were not all handled; another turn begins within ten seconds.',
    STORES,
  ),
  'admission.turns_mended': warn(
    'Accounts had due calls and no turn; their turns begin now.',
    'Report it if it repeats: it is a defect.',
  ),
  'agent.failed': warn(
    'An agent failed; its call ends as `agent_error`.',
    'Read `err`; check the settings of the agent and the CPU of the worker.',
  ),
  'call.transfer_started': info('An agent transfers its callee: the far end is asked to call the destination.'),
  'call.transferred': info('The callee was transferred; the call ends `transferred`.'),
  'call.transfer_failed': info('A callee was not transferred; the conversation goes on.'),
  'call.leg_not_begun': warn(
    'The second leg of a warm transfer could not be reserved; the conversation goes on.',
    STORES,
  ),
  'call.transfer_unchecked': warn(
    'Whether a destination may be called could not be checked; the callee was not transferred.',
    STORES,
  ),
  'campaign.calls_ended': info('Scheduled calls of campaigns that are over were ended.'),
  'campaign.hints_missing': debug(
    'Redis took no subscription to changes of campaigns; workers look for them four times in three seconds.',
  ),
  'campaign.uploads_given_up': info('Files of contacts had not moved for ten minutes. Nothing of them is called.'),
  'campaign.moved': info(
    'A campaign moved on by itself: it began, was completed or cancelled, or was paused since its budget is used up.',
  ),
  'breaker.check_failed': warn('The breakers of models could not be checked or read; the worker tries again.', STORES),
  'breaker.closed': info('A model that had failed takes calls again; `breaker` names its credential.'),
  'breaker.not_recorded': debug('Redis did not take what a call showed about a model.'),
  'breaker.opened': warn(
    'A model failed too often and takes no calls for `forMs`; they wait in the queue. `breaker` names provider, component, credential and model, and after @ the account or agent version that it is for.',
    'See OutdialModelDown in the runbook.',
  ),
  'model.message': info(
    'A message of a conversation with a model, with OUTDIAL_MODEL_LOG=shapes: names of events and fields, and lengths of texts.',
  ),
  'model.socket_ended': info('A connection to a model ended, with OUTDIAL_MODEL_LOG=shapes.'),
  'line.lowered': info(
    'A provider reported that little is left of what it allows in a minute: calls of `model` get its line only while fewer than `places` calls have it, for `forMs`.',
    'If it happens often, ask the provider for more, or lower the most calls of the credential.',
  ),
  'line.not_lowered': debug(
    'A store did not take that a provider is near its limit; the next answer reports it again.',
  ),
  'credential.rejected': warn(
    'A provider rejects the key of a credential, as two checks of the key found, 2 s apart, after a call was refused. Calls that need it wait in the queue; `credentialId`, `provider` and `accountId` (null: the operator’s) name it.',
    'Rotate the credential, or check it once the provider accepts the key again.',
  ),
  'call.accepted': info(
    'A call was accepted, to be dialed at once or, with `scheduledFor` and `waitingFor`, once it is no longer held up.',
  ),
  'call.admitted': info('A scheduled call was admitted to the queue; `lateMs` after it was due.'),
  'call.agent_not_prepared': error(
    'The agent of a call could not be started; the call ends as `agent_error`.',
    'Read `err`; check the settings of the agent.',
  ),
  'call.agent_settings_unusable': error(
    'The settings that were stored with a call are not valid; the worker does not dial it.',
    'Read `problem`; save the agent again and place the call again.',
  ),
  'call.answered': info('The callee answered.'),
  'call.opted_out': info('The callee asked for no more calls: the number goes on the do-not-call list of the account.'),
  'call.attempt_rejected': error(
    'Postgres rejects what the worker must store before a dial; the call ends without a dial.',
    'Report it with `err`: it is a defect.',
  ),
  'call.callee_classified': info('The worker decided what answered: a person, voicemail, a screener or a menu.'),
  'call.channel_failed': warn(
    'The gate could not reserve a channel of a trunk for a call; the call waits and tries again.',
    STORES,
  ),
  'call.claim_failed': warn('Postgres did not say whether a call may be dialed; the worker asks again.', STORES),
  'call.dial_failed': error(
    'A defect kept the worker from dialing a call; the call ends without a dial.',
    'Report it with `err`.',
  ),
  'call.dial_mark_failed': warn(
    'Redis did not store the mark of a dial; the worker does not dial the call, so that it is never dialed twice.',
    STORES,
  ),
  'call.dial_mark_taken': warn(
    'Another worker may have dialed a call; this one does not. The call ends as `reconciled_unknown`.',
  ),
  'call.dial_started': info('A worker claimed a call and dials it.'),
  'call.dialing_paused': info('Dialing is paused; a claimed call waits.', 'Resume dialing when the cause is fixed.'),
  'call.end_requested': info('A client requested the end of a call.'),
  'call.instructed': info('A member or a program instructed the model of a live call.'),
  'call.ended': info('A call ended and is settled; `reason` says why.'),
  'call.fenced': warn(
    'Another worker owns a call; this one hangs up and writes nothing more about it.',
    'See OutdialLeasesLost in the runbook.',
  ),
  'call.fallback_without_line': warn('A fallback of a model got no line, since a store did not answer.', STORES),
  'call.hold_enlarged': debug('More funds were reserved for a live call.'),
  'call.hold_not_enlarged': debug('Reserving more funds for a live call failed; the worker tries again in time.'),
  'call.leg_end_not_reported': error(
    'A carrier never confirmed that a leg is gone; the worker settles the call without the confirmation.',
    'Check at the carrier that the leg ended; report it if it repeats.',
  ),
  'call.admission_delayed': warn(
    'A turn that was cut off left a reservation of a scheduled call; the reconcile loop frees it within a minute, and the call is tried again.',
    'Nothing, unless it repeats for one call.',
  ),
  'call.not_admitted': error(
    'A scheduled call could not be admitted; it is tried again until its time is over.',
    'Read `err`; report it if it repeats.',
  ),
  'call.orphan_end_failed': warn(
    'Ending the leg of a dead worker failed; the next sweep tries again.',
    'Check that the trunk of the call answers.',
  ),
  'call.rejected': info('A request for a call was rejected; `reason` says why.'),
  'call.release_failed': warn(
    'The gate did not release the funds and the slot of an ended call; the reconcile loop releases them.',
    STORES,
  ),
  'call.replayed': info('A request returned the call accepted earlier under the same Idempotency-Key.'),
  'call.ringing': info('The callee rings.'),
  'call.settle_failed': warn(
    'Postgres did not take the settlement of an ended call; the worker tries until it does.',
    'See OutdialSettleRetries in the runbook. Do not stop the worker.',
  ),
  'call.take_over_delayed': warn(
    'The leg of a dead worker may still be up; the call is settled once it is gone or can no longer be up.',
    'Check that the trunk of the call answers.',
  ),
  'call.taken_over': warn(
    'A worker ends a call whose worker died or stood still.',
    'See OutdialCallsOrphaned in the runbook.',
  ),
  'call.write_failed': debug('A write about a live call failed; the worker repeats it.'),
  'conversation.failed': warn('The sound of a simulated call failed.', 'Report it with `err`.'),
  'lease.renewal_failed': warn(
    'Postgres does not renew the leases of live calls; calls are hung up if that lasts 50 s.',
    'See OutdialLeasesLost in the runbook.',
  ),
  'lease.renewal_recovered': info('Leases are renewed again.'),
  'policy.calls_left_waiting': warn(
    'A calling policy was saved, and calls that wait for the earlier one were not all looked at again; they wait until the time that it said.',
    'Save the policy with a change once the stores answer, if the calls should go earlier.',
  ),
} as const;
