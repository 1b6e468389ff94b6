import { join } from 'node:path';
import type { CallId } from '@outdial/contracts';
import { invariant, parseEnv } from '@outdial/kernel';
import { openRecordings, recordingsEnv, s3SettingsOf } from '@outdial/recordings';

/** Stores three seconds of sound where the API reads recordings. @returns the recording's key */
export async function keepRecording(dataDir: string, environment: NodeJS.ProcessEnv, callId: CallId): Promise<string> {
  const recordings = openRecordings({
    directory: join(dataDir, 'recordings'),
    s3: s3SettingsOf(parseEnv(recordingsEnv, environment)),
    onError: () => undefined,
  });
  const sink = recordings.store.create(callId);
  for (let second = 0; second < 3; second += 1) sink.write(Int16Array.from({ length: 16_000 }, (_, index) => index));
  invariant(await sink.close(), 'the recording is complete');
  if (recordings.outbox) {
    await recordings.outbox.upload(callId, new AbortController().signal);
    await recordings.outbox.discard(callId);
  }
  await recordings.close();
  return sink.key;
}
