import { endedReasons } from '@outdial/contracts';
import { z } from 'zod';

/** Of a contact whose campaign is over without a call to it. */
const NOT_DIALED = 'not_dialled';
export const OUTCOMES = [...endedReasons, NOT_DIALED] as const;
export type ContactOutcome = (typeof OUTCOMES)[number];

/** The filter of the contacts in the URL. An invalid part is dropped. */
export const campaignSearchSchema = z.object({ outcome: z.enum(OUTCOMES).optional().catch(undefined) });
