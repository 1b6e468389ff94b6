import { parseDecimal, TOP_UP_AMOUNT_RULE, type Micros } from '@outdial/contracts';
import { z } from 'zod';

/** `25` or `25.50`: a positive amount of currency units. */
export const amountText = z.string().transform((text, context): Micros => {
  const amount = parseDecimal(text);
  if (amount !== null && amount > 0n) return amount;
  context.addIssue({ code: 'custom', message: TOP_UP_AMOUNT_RULE });
  return z.NEVER;
});

export const wholeNumberText = (bounds: { readonly min: number; readonly max: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${bounds.min} to ${bounds.max}`)
    .transform(Number)
    .refine(
      (value) => value >= bounds.min && value <= bounds.max,
      `must be a whole number from ${bounds.min} to ${bounds.max}`,
    );

/** An instant in ISO 8601, as milliseconds. */
export const instantText = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-20T14:26:00Z' })
  .transform((text) => Date.parse(text));
