import {
  importSuppressionsQuerySchema,
  MAX_SUPPRESSIONS_FILE_BYTES,
  suppressionImportSchema,
} from '@outdial/contracts';
import { defineContract, NO_PARAMS } from '../../http/define-route.ts';
import { uploadBody } from '../../http/file-body.ts';

export const importSuppressionsContract = defineContract({
  method: 'POST',
  path: '/api/v1/suppressions/import',
  scope: 'outbound',
  params: NO_PARAMS,
  query: importSuppressionsQuerySchema,
  body: uploadBody({ mediaType: 'text/csv', maxBytes: MAX_SUPPRESSIONS_FILE_BYTES }),
  responses: { 200: suppressionImportSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'too_many_suppressions'],
  docs: {
    operationId: 'importSuppressions',
    tag: 'Do-not-call list',
    summary: 'Import a file into the do-not-call list',
    description:
      'Adds the numbers of a CSV file of up to 64 MiB, one number a line or in one column, while the file arrives. Lines that are not valid are reported, and the others added. What was added stays when the upload breaks off or an error ends it; repeating an import is safe. An account imports one file at a time.',
    requestMedia: {
      'text/csv': { schema: { type: 'string' }, example: '+12025550143\n+12025550144\n' },
    },
    answers: { 200: { description: 'What was added, and what is wrong with the rest.' } },
  },
});
