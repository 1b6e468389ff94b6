import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';
import { PROVIDERS } from './providers.ts';
import { USAGE_UNITS } from './usage.ts';

export const pricedModelSchema = z.strictObject({
  component: z.enum(COMPONENTS).describe('What the model does in a call.'),
  provider: z.enum(PROVIDERS).describe('Whose model it is.'),
  model: z.string().describe('Its name in an agent’s settings. `*` at the end stands for any ending.'),
  prices: z
    .array(
      z.strictObject({
        unit: z.enum(USAGE_UNITS).describe('What is counted.'),
        unit_price: z.number().describe('Price of a million units, in the account’s currency.'),
      }),
    )
    .describe('One for each unit.'),
  estimate_per_minute: z.number().describe('What a minute of a call is expected to cost; a call’s hold covers it.'),
});
export type PricedModelBody = z.output<typeof pricedModelSchema>;

export const usableProviderSchema = z.strictObject({
  provider: z.enum(PROVIDERS).describe('A provider that an agent may name.'),
  paid_by: z
    .enum(['account', 'operator'])
    .describe(
      'Whose credential a call uses unless the agent names another. `account`: any model, and Outdial charges nothing for it.',
    ),
});

/** `GET /models`. */
export const modelListSchema = z.strictObject({
  currency: z.string().describe('Of the prices.'),
  models: z.array(pricedModelSchema).describe('What the operator’s credentials offer, at a price.'),
  providers: z.array(usableProviderSchema).describe('The providers with a credential.'),
});
export type ModelListBody = z.output<typeof modelListSchema>;
