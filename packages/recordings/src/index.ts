export { createFileRecordings, type FileRecordingsOptions } from './file-recordings.ts';
export type { RecordingFile } from './file-recording.ts';
export { openRecordings, type Recordings, type RecordingsOptions } from './open-recordings.ts';
export type { BucketCheck } from './s3/check-bucket.ts';
export { RecordingStoreUnavailable } from './s3/s3-errors.ts';
export type { S3Settings } from './s3/s3-settings.ts';
export { recordingsEnv, retentionEnv, s3SettingsOf, type RecordingsEnv } from './settings.ts';
