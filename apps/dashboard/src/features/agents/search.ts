import { DRIVERS } from '@outdial/contracts';
import { z } from 'zod';

/** The address of the form for a new agent keeps the choice of its driver. */
export const newAgentSearchSchema = z.object({ driver: z.enum(DRIVERS).optional().catch(undefined) });
