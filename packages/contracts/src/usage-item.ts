import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';
import { PROVIDERS } from './providers.ts';
import { USAGE_UNITS } from './usage.ts';

export const usageItemSchema = z.strictObject({
  component: z.enum(COMPONENTS).describe('What the model does in the call.'),
  provider: z.enum(PROVIDERS).describe('Who bills it.'),
  model: z.string().describe('Its name in the agent’s settings.'),
  unit: z.enum(USAGE_UNITS).describe('What `quantity` counts.'),
  quantity: z.number().describe('How many units; whole, except for seconds.'),
  own_credential: z.boolean().describe('Your own credential: the provider bills you, and it costs nothing here.'),
});
