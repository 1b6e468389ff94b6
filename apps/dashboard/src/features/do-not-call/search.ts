import { listSuppressionsQuerySchema } from '@outdial/contracts';
import { z } from 'zod';

const { number, kind } = listSuppressionsQuerySchema.shape;

/** The filters in the URL. An invalid part is dropped. */
export const doNotCallSearchSchema = z.object({
  number: number.catch(undefined),
  kind: kind.catch(undefined),
});
export type DoNotCallSearch = z.output<typeof doNotCallSearchSchema>;
