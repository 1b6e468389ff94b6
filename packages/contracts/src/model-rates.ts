import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';
import { micros, parseDecimal } from './money.ts';
import { PROVIDERS } from './providers.ts';
import { unitsOf, USAGE_UNITS } from './usage.ts';

/** The maximum price in the database: a million units of the currency. */
const MAX_PRICE_MICROS = micros(1_000_000_000_000);

const amount = z.string().transform((text, context) => {
  const parsed = parseDecimal(text);
  if (parsed !== null && parsed >= 0n && parsed <= MAX_PRICE_MICROS) return parsed;
  context.addIssue('must be a decimal from 0 to 1000000 with at most six decimals (0.4)');
  return z.NEVER;
});

const lineSchema = z.object({
  component: z.enum(COMPONENTS),
  provider: z.enum(PROVIDERS),
  model: z
    .string()
    .regex(/^[^\s*]{0,199}(?:[^\s*]|\*)$/, 'must be a model, or the beginning of models before one * at the end'),
  unit: z.enum(USAGE_UNITS),
  price_per_million: amount,
  estimate_per_minute: amount,
});

/** One line of a file of model rates, as text by column. */
export const modelRateLineSchema = lineSchema.superRefine(({ component, provider, unit }, context) => {
  const units = unitsOf(component, provider);
  if (units.includes(unit)) return;
  const message = `${provider} does not count ${component} by ${unit}: use ${units.join(', ')}`;
  context.addIssue({ code: 'custom', path: ['unit'], message });
});
