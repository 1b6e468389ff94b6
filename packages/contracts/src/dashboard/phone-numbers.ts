import { z } from 'zod';
import { e164Schema } from '../e164.ts';
import { phoneNumberIdSchema } from '../ids.ts';

export const phoneNumberSchema = z.strictObject({
  id: phoneNumberIdSchema,
  number: e164Schema,
  active: z.boolean(),
  outbound_enabled: z.boolean(),
  is_default: z.boolean(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type PhoneNumberBody = z.output<typeof phoneNumberSchema>;

/** `GET …/phone-numbers`, the default first. */
export const phoneNumberListSchema = z.strictObject({ phone_numbers: z.array(phoneNumberSchema) });

/** `PATCH …/phone-numbers/{phone_number_id}`, by an owner. What is left out stays. */
export const updatePhoneNumberSchema = z
  .strictObject({
    outbound_enabled: z.boolean().optional(),
    /** There is one default: another number takes its place, it is not taken away. */
    is_default: z.literal(true).optional(),
  })
  .refine((value) => Object.keys(value).length > 0, 'must name what is to change');
export const phoneNumberEnvelopeSchema = z.strictObject({ phone_number: phoneNumberSchema });
