import { debug, error, info, warn } from './log-event.ts';

const TRUNK_DOWN = 'See OutdialTrunkDown in the runbook.';
const CERTIFICATE = 'See OutdialCertificateExpires in the runbook.';

export const CARRIER_EVENTS = {
  'call.caller_number_not_carried': warn(
    'No enabled trunk carries calls from the number of the call.',
    'Give a trunk the number, or set another default number.',
  ),
  'call.media_stopped': warn('The worker hangs up a call: no audio arrives, or its right to the call ended.'),
  'call.no_rtp_ports': error('No RTP port is free for a call.', 'Widen `SIP_RTP_PORTS`, or lower the concurrency.'),
  'call.trunk_attempt_failed': warn('One trunk did not take a call; the next one follows.', TRUNK_DOWN),
  'call.waiting_for_trunk': info('No trunk takes a call yet; it waits.', TRUNK_DOWN),
  'certificate.expired': warn('The certificate for SIP over TLS has expired.', CERTIFICATE),
  'certificate.expiring': warn('The certificate for SIP over TLS expires within two weeks.', CERTIFICATE),
  'certificate.renewed': info('A renewed certificate for SIP over TLS is in use.'),
  'certificate.unusable': warn(
    'The new certificate for SIP over TLS cannot be used; the previous one stays in use.',
    'Read `reason` and correct the files.',
  ),
  'media_clock.failed': warn('The clock of the simulated network reported an error.', 'Report it with `err`.'),
  'media_thread.error': warn('The media thread reported an error.', 'Read `err`.'),
  'media_thread.released': debug('The media thread has ended all calls and was released.'),
  'media_thread.priority_refused': warn(
    'The system does not permit the priority that `OUTDIAL_MEDIA_PRIORITY` asks for; `priority` is what the media thread has.',
    'Permit it, or ask for less.',
  ),
  'media_thread.started': info('The media thread runs, with the `priority` named.'),
  'mind.failed': warn(
    'A provider of models failed in a call; `failure` and `reason` say why.',
    'Check the credential.',
  ),
  'mind.ignored': debug('A provider of models sent a message that was ignored.'),
  'mind.not_opened': warn('A call’s models could not be opened.', 'Read `err`.'),
  'model_thread.lost': warn('The thread of the models ended or was stuck; it is started again.', 'Read `err`.'),
  'model_thread.started': debug('The thread of the models runs.'),
  'sip.listening': info('The worker listens for SIP.'),
  'sip.message_discarded': debug('The simulated network discarded a SIP message that it could not use.'),
  'sip.response_dropped': warn(
    'A SIP response came from an address that received no request; it was dropped.',
    'Compare the address with the trunk; it may be an attack.',
  ),
  'sound.measured': info('The lateness and loss of the packets of the last interval.'),
  'trunk.check_failed': warn('The trunks could not be read for a check.', 'See OutdialStoreAway in the runbook.'),
  'trunk.credentials_rejected': error('A trunk rejects its credentials.', 'Correct the user name or the password.'),
  'trunk.down': warn('A trunk takes no calls; `reason` says why.', TRUNK_DOWN),
  'trunk.evidence_sharing_failed': warn(
    'A worker could not share its evidence about trunks; it goes by its own.',
    'See OutdialStoreAway in the runbook.',
  ),
  'trunk.evidence_sharing_resumed': info('A worker shares its evidence about trunks again.'),
  'trunk.half_open': info('A trunk is tried with one call at a time.'),
  'trunk.invalid_settings': error('A call could not use the settings of a trunk.', 'Correct the settings.'),
  'trunk.left_out': error('A trunk has settings that cannot be used; no call goes to it.', 'Correct the settings.'),
  'trunk.options_failed': warn('The trunks could not be read for OPTIONS.', 'See OutdialStoreAway in the runbook.'),
  'trunk.up': info('A trunk takes calls again.'),
  'trunk_test.save_failed': warn('The result of a trunk test was not saved.', 'Test the trunk again.'),
} as const;

export const SIMULATED_NETWORK_EVENTS = {
  'callee.answered': info('The simulated network answered a call.'),
  'callee.ended': info('A call to the simulated network ended.'),
  'callee.failed': error('A persona of the simulated network failed.', 'Report it with `err`.'),
  'callee.refer': info('The simulated network was asked to transfer a call.'),
  'callee.hold': info('The simulated network put a call on hold, or resumed it.'),
  'callee.invite': info('A call reached the simulated network.'),
  'callee.no_rtp_port': error('The simulated network has no RTP port free for a call.', 'Widen its range of ports.'),
  'callee.ringing': info('A call rings in the simulated network.'),
  'callee.started': info('The simulated network takes calls.'),
  'models.started': info('The simulated providers answer.'),
  'simulated_callee.failed': warn('A callee inside a worker failed.', 'Report it with `err`.'),
} as const;
