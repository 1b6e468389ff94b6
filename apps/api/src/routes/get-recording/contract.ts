import { z } from 'zod';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

const WAV = { 'audio/wav': { schema: { type: 'string', format: 'binary' } } } as const;
const ABOUT_BYTES = { ETag: 'Identifies the content, which never changes.', 'Accept-Ranges': '`bytes`.' } as const;

/** Answers `audio/wav`: 200 with the whole, 206 with the part that `Range` selects. */
export const getRecordingContract = defineContract({
  method: 'GET',
  path: '/api/v1/calls/:call_id/recording',
  scope: 'outbound',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['call_not_found', 'recording_not_available', 'range_not_satisfiable'],
  docs: {
    operationId: 'getRecording',
    tag: 'Calls',
    summary: 'Download a recording',
    description: 'Stereo WAV, 8 kHz, 16 bits: the callee on the left, the agent on the right. HEAD returns its size.',
    headers: {
      Range: z.string().describe('One range of bytes, such as `bytes=0-65535`.'),
      'If-Range': z.string().describe('Apply Range only if this is the ETag of the recording.'),
    },
    answers: {
      200: { description: 'The recording.', headers: ABOUT_BYTES, media: WAV },
      206: {
        description: 'The part that Range selects.',
        headers: { ...ABOUT_BYTES, 'Content-Range': 'The range of bytes and the total size.' },
        media: WAV,
      },
    },
  },
});
