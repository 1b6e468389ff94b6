import { z } from 'zod';

export const accountSchema = z.strictObject({
  id: z.guid().describe('Identifies the account.'),
  name: z.string().describe('Its name.'),
  wallet: z
    .strictObject({
      balance: z.number().describe('Top-ups minus the cost of ended calls.'),
      held: z.number().describe('Reserved for open calls.'),
      available: z.number().describe('Balance minus held: what new calls may reserve.'),
      currency: z.string().describe('ISO 4217.'),
    })
    .describe('In units of `currency`, at most six decimals.'),
  capacity: z
    .strictObject({
      limit: z.int().describe('Calls that may be open at once.'),
      in_use: z.int().describe('Calls that are open now.'),
    })
    .describe('A call is open from its creation to its end.'),
});

export const accountEnvelopeSchema = z.strictObject({ account: accountSchema });
export type AccountBody = z.output<typeof accountSchema>;
