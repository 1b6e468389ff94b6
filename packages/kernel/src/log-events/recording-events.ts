import { debug, error, info, warn } from './log-event.ts';

const UPLOADS = 'See OutdialUploadsFail in the runbook.';

export const RECORDING_EVENTS = {
  'recording.failed': error(
    'A recording failed; its call continues without it.',
    'See OutdialRecordingsMissing in the runbook.',
  ),
  'recording.read_failed': warn('A recording could not be read.', 'Check the recording store.'),
  'recording.repair_failed': warn('The recording of a dead worker could not be repaired.', 'Read `err`.'),
  'recording_store.away': warn('The recording store was away when the process started.', UPLOADS),
  'recordings.expired': info('Recordings older than the retention were deleted.'),
  'recordings.left': warn(
    'A worker stopped before all recordings of its folder were uploaded; `left` counts them.',
    'Start a worker with this folder, or raise OUTDIAL_UPLOAD_SECONDS.',
  ),
  'recordings.upload_failing': error('Recordings cannot be uploaded; they stay on the machine of the worker.', UPLOADS),
  'recordings.upload_recovered': info('Recordings can be uploaded again.'),
  'recordings.uploaded': debug('Recordings were uploaded.'),
} as const;
