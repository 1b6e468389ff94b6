import {
  checkSuppressionsSchema,
  createdSuppressionsSchema,
  createSuppressionsSchema,
  deleteSuppressionSchema,
  optOutCallSchema,
  suppressionChecksSchema,
  suppressionEnvelopeSchema,
  suppressionImportSchema,
  suppressionListSchema,
  suppressionSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

const ENTRY = suppressionSchema.parse({
  id: '01991f3e-c4d5-7e6f-8091-a2b3c4d5e6f7',
  number: '+12025550143',
  kind: 'manual',
  source: 'api',
  reason: 'Asked by e-mail.',
  call_id: null,
  created_at: '2026-11-20T14:30:00.123Z',
});

/** Complete example bodies of do-not-call lists, by the schema that each of them matches. */
export const SUPPRESSION_EXAMPLES: readonly (readonly [z.ZodType, unknown])[] = [
  [createSuppressionsSchema, { numbers: [ENTRY.number], reason: ENTRY.reason }],
  [createdSuppressionsSchema, { added: 1, suppressions: [ENTRY] }],
  [suppressionListSchema, { suppressions: [ENTRY], has_more: false, next_cursor: null }],
  [checkSuppressionsSchema, { numbers: [ENTRY.number, '+12025550144'] }],
  [
    suppressionChecksSchema,
    {
      results: [
        { number: ENTRY.number, suppressed: true, by: 'account', suppression: ENTRY },
        { number: '+12025550144', suppressed: false, by: null, suppression: null },
      ],
    },
  ],
  [deleteSuppressionSchema, { reason: 'The number has a new owner.' }],
  [optOutCallSchema, { reason: 'Asked our support for no more calls.' }],
  [suppressionEnvelopeSchema, { suppression: ENTRY }],
  [
    suppressionImportSchema,
    {
      lines: 1_204,
      added: 1_190,
      already_listed: 13,
      invalid: 1,
      problems: [
        {
          line: 17,
          value: '2025550143',
          message: 'must be an E.164 telephone number: a plus sign and 7 to 15 digits, such as +12025550143',
        },
      ],
    },
  ],
];
