import {
  checkSuppressionsSchema,
  createdSuppressionsSchema,
  createSuppressionsSchema,
  deleteSuppressionSchema,
  optOutCallSchema,
  suppressionCheckSchema,
  suppressionChecksSchema,
  suppressionEnvelopeSchema,
  suppressionImportSchema,
  suppressionListSchema,
  suppressionProblemSchema,
  suppressionSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

/** Request schemas of do-not-call lists, by their names in the document. */
export const SUPPRESSION_REQUESTS: Readonly<Record<string, z.ZodType>> = {
  CreateSuppressions: createSuppressionsSchema,
  CheckSuppressions: checkSuppressionsSchema,
  DeleteSuppression: deleteSuppressionSchema,
  OptOutCall: optOutCallSchema,
};

/** Response schemas. */
export const SUPPRESSION_RESPONSES: Readonly<Record<string, z.ZodType>> = {
  Suppression: suppressionSchema,
  SuppressionEnvelope: suppressionEnvelopeSchema,
  CreatedSuppressions: createdSuppressionsSchema,
  SuppressionList: suppressionListSchema,
  SuppressionCheck: suppressionCheckSchema,
  SuppressionChecks: suppressionChecksSchema,
  SuppressionProblem: suppressionProblemSchema,
  SuppressionImport: suppressionImportSchema,
};
