import { z } from 'zod';

export const accountSchema = z.strictObject({
  id: z.guid().describe('Names the account.'),
  name: z.string().describe('What it is called.'),
  wallet: z
    .strictObject({
      balance: z.number().describe('What was paid in, less what ended calls cost.'),
      held: z.number().describe('What open calls hold of it.'),
      available: z.number().describe('Balance less held: what new calls may hold.'),
      currency: z.string().describe('ISO 4217.'),
    })
    .describe('In units of `currency`, at most six decimals.'),
  capacity: z
    .strictObject({
      limit: z.int().describe('Calls that may be open at once.'),
      in_use: z.int().describe('Calls that are open.'),
    })
    .describe('A call is open from its creation to its end.'),
});

export const accountEnvelopeSchema = z.strictObject({ account: accountSchema });
export type AccountBody = z.output<typeof accountSchema>;
