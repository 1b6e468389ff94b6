import type { CallReader, RecordingStore, StoredRecording } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { headerOf } from '../../http/header.ts';
import type { StreamReply } from '../../http/reply.ts';
import { callNotFound } from '../call-params.ts';
import { chooseRange } from './byte-range.ts';
import { getRecordingContract } from './contract.ts';

export interface GetRecordingDeps {
  readonly reader: Pick<CallReader, 'find' | 'recordingKey'>;
  readonly recordings: Pick<RecordingStore, 'open'>;
}

export function getRecordingRoute(deps: GetRecordingDeps): AccountRoute {
  return defineRoute(getRecordingContract, async ({ principal, params, rawHeaders, method }) => {
    const recording = await openRecording(deps, principal.account.id, params.call_id);
    // A recording never changes once it is available, so the call's id identifies its content.
    const entityTag = `"${params.call_id}"`;
    const known = headerOf(rawHeaders, 'If-Range') ?? entityTag;
    const isHead = method === 'HEAD';
    const range = known !== entityTag || isHead ? null : headerOf(rawHeaders, 'Range');
    return replyWith(recording, { range, isHead, entityTag, callId: params.call_id });
  });
}

async function openRecording(deps: GetRecordingDeps, accountId: AccountId, callId: CallId): Promise<StoredRecording> {
  const call = await deps.reader.find(accountId, callId);
  if (call === null) throw callNotFound();
  if (call.status !== 'ended') throw notAvailable('The recording is available after the call has ended. Retry then.');
  if (call.recordingStatus === 'pending') {
    throw notAvailable('The recording is still being uploaded. Retry in a few seconds.');
  }
  const key = await deps.reader.recordingKey(accountId, callId);
  const recording = key === null ? null : await deps.recordings.open(key);
  if (recording === null) throw notAvailable('This call has no recording.');
  return recording;
}

function replyWith(
  recording: StoredRecording,
  asked: {
    readonly range: string | null;
    readonly isHead: boolean;
    readonly entityTag: string;
    readonly callId: CallId;
  },
): StreamReply {
  const { sizeBytes } = recording;
  const read = (start: number, end: number) =>
    asked.isHead || sizeBytes === 0 ? null : recording.read({ start, end });
  const headers = {
    'Content-Type': 'audio/wav',
    'Content-Disposition': `inline; filename="${asked.callId}.wav"`,
    'Accept-Ranges': 'bytes',
    // No cache on the way may store what people said, nor may the browser's disk after a sign-out. A player seeks by
    // Range within its memory, and requests the rest again.
    'Cache-Control': 'no-store',
    ETag: asked.entityTag,
  };
  const choice = chooseRange(asked.range, sizeBytes);
  switch (choice.kind) {
    case 'whole':
      return {
        status: 200,
        headers: { ...headers, 'Content-Length': String(sizeBytes) },
        stream: read(0, sizeBytes - 1),
      };
    case 'part': {
      const { start, end } = choice.range;
      const contentRange = `bytes ${start}-${end}/${sizeBytes}`;
      const length = String(end - start + 1);
      return {
        status: 206,
        headers: { ...headers, 'Content-Range': contentRange, 'Content-Length': length },
        stream: read(start, end),
      };
    }
    case 'unsatisfiable':
      throw new ApiError({
        code: 'range_not_satisfiable',
        publicMessage: `The Range is outside the recording, which has ${sizeBytes} bytes. Request a range within them.`,
        param: 'Range',
        headers: { 'Content-Range': `bytes */${sizeBytes}` },
      });
    default:
      return unreachable(choice);
  }
}

function notAvailable(publicMessage: string) {
  return new ApiError({ code: 'recording_not_available', publicMessage });
}
