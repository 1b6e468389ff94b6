/**
 * Every `event` of the log lines of the API, the workers and the simulated network at level `info` and above, with its meaning. Names are
 * stable: operators search and alert by them, while messages may change. A new name is added here first, and
 * `docs/log-events.md` follows (`npm test -- packages/kernel/src/log-events.test.ts -u`).
 */
export const LOG_EVENTS = {
  'agent.failed': 'An agent failed; its call ends as agent_error.',
  'api_key.use_not_saved': 'The time of the last use of some API keys was not saved.',
  'call.accepted': 'A call was accepted.',
  'call.caller_number_not_carried': 'No enabled trunk carries calls from the number of the call.',
  'call.dial_failed': 'A call could not be dialed.',
  'call.end_requested': 'A client requested the end of a call.',
  'call.media_stopped': 'The worker hangs up a call: no audio arrives, or its right to the call ended.',
  'call.no_rtp_ports': 'No RTP port is free for a call.',
  'call.rejected': 'A request for a call was rejected; `reason` says why.',
  'call.replayed': 'A request returned the call accepted earlier under the same Idempotency-Key.',
  'call.trunk_attempt_failed': 'One trunk did not take a call; the next one follows.',
  'call.waiting_for_trunk': 'No trunk takes a call yet; it waits.',
  'callee.answered': 'The simulated network answered a call.',
  'callee.ended': 'A call to the simulated network ended.',
  'callee.failed': 'A persona of the simulated network failed.',
  'callee.hold': 'The simulated network put a call on hold, or resumed it.',
  'callee.invite': 'A call reached the simulated network.',
  'callee.no_rtp_port': 'The simulated network has no RTP port free for a call.',
  'callee.ringing': 'A call rings in the simulated network.',
  'callee.started': 'The simulated network takes calls.',
  'certificate.expired': 'The certificate for SIP over TLS has expired.',
  'certificate.expiring': 'The certificate for SIP over TLS expires within two weeks.',
  'certificate.renewed': 'A renewed certificate for SIP over TLS is in use.',
  'certificate.unusable': 'The new certificate for SIP over TLS cannot be used; the previous one stays in use.',
  'changes.read_failed': 'The changes of calls could not be read for streams; the next round retries.',
  'conversation.failed': 'The sound of a simulated call failed.',
  'dialing.paused': 'An operator paused dialing; calls wait in the queue.',
  'dialing.resumed': 'An operator resumed dialing.',
  'drain.handing_over': 'The worker hands over the calls that it could not settle.',
  'drain.hanging_up': 'The worker hangs up the calls that have not ended at the limit of its drain.',
  'drain.started': 'The worker stops: it takes no more calls and lets the live ones end.',
  'gate.rebuild_failed': 'The admission gate was not rebuilt; the next attempt follows.',
  'loop.round_failed': 'A round of background work failed; `loop` names it, and it is retried.',
  'media_clock.failed': 'The clock of the simulated network reported an error.',
  'media_thread.error': 'The media thread reported an error.',
  'metrics.listening': 'The worker serves its metrics at `metricsUrl`.',
  'process.close_failed': 'A connection did not close cleanly while the worker stopped.',
  'process.defect': 'An uncaught error stops the worker; its calls are settled first.',
  'process.listening': 'The API listens at `url`.',
  'process.ready': 'The API has warmed up and answers at full speed.',
  'process.stopped': 'The process has stopped.',
  'queue.add_failed': 'The queue did not take accepted calls; the reconcile loop adds them.',
  'recording.failed': 'A recording failed; its call continues without it.',
  'recording.read_failed': 'A recording could not be read.',
  'recording_store.away': 'The recording store was away when the process started.',
  'recordings.expired': 'Recordings older than the retention were deleted.',
  'recordings.upload_failing': 'Recordings cannot be uploaded; they stay on the machine of the worker.',
  'recordings.upload_recovered': 'Recordings can be uploaded again.',
  'redis.setting_risky': 'A setting of Redis puts something at risk; the message says what.',
  'request.aborted': 'An answer could not be sent; the connection was reset.',
  'request.failed': 'A defect failed a request, which received internal_error.',
  'request.overloaded': 'The process was too busy to serve a request.',
  'request.store_away': 'A request was rejected because a store was away.',
  'sessions.swept': 'Expired sessions and links were deleted.',
  'simulated_callee.failed': 'A callee of the simulated network failed.',
  'sip.listening': 'The worker listens for SIP.',
  'sip.message_discarded': 'The simulated network discarded a SIP message that it could not use.',
  'sip.response_dropped': 'A SIP response came from an address that received no request; it was dropped.',
  'sound.measured': 'The lateness and loss of the packets of the last interval.',
  'store.away': 'A store, or the gate in Redis, went away; the message names it.',
  'store.back': 'A store, or the gate in Redis, is back; the message names it.',
  'timelines.read_failed': 'Timelines could not be read for streams; the next round retries.',
  'trunk.check_failed': 'The trunks could not be read for a check.',
  'trunk.credentials_rejected': 'A trunk rejects its credentials; an operator must correct them.',
  'trunk.down': 'A trunk takes no calls; `reason` says why.',
  'trunk.evidence_sharing_failed': 'A worker could not share its evidence about trunks; it goes by its own.',
  'trunk.evidence_sharing_resumed': 'A worker shares its evidence about trunks again.',
  'trunk.half_open': 'A trunk is tried with one call at a time.',
  'trunk.invalid_settings': 'A trunk has settings that cannot be used; an operator must correct them.',
  'trunk.left_out': 'A trunk has settings that cannot be used; no call goes to it.',
  'trunk.options_failed': 'The trunks could not be read for OPTIONS.',
  'trunk.up': 'A trunk takes calls again.',
  'trunk_test.save_failed': 'The result of a trunk test was not saved.',
  'worker.drain_requested': 'An operator drains the worker: it takes no more calls.',
  'worker.resumed': 'An operator resumed the worker: it takes calls again.',
  'worker.stop_taking_failed': 'The queue consumer did not confirm that it takes no more calls.',
  'worker.taking_calls': 'The worker takes calls.',
} as const;

/** The stable name of a log line. */
export type LogEvent = keyof typeof LOG_EVENTS;

/** Under its own name `LogEvent` would be the one of pino's namespace. */
type EventName = LogEvent;

/** Makes the compiler reject a log line whose event is not listed. */
declare module 'pino' {
  // pino offers no other place for the type of a field.
  namespace pino {
    interface LogFnFields {
      readonly event?: EventName;
    }
  }
}
