import { z } from 'zod';

export const accountSchema = z.strictObject({
  id: z.guid(),
  name: z.string(),
  wallet: z.strictObject({
    balance: z.number(),
    held: z.number(),
    available: z.number(),
    currency: z.string(),
  }),
  capacity: z.strictObject({ limit: z.int(), in_use: z.int() }),
});

export const accountEnvelopeSchema = z.strictObject({ account: accountSchema });
export type AccountBody = z.output<typeof accountSchema>;
