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

/** `PATCH …/phone-numbers/{phone_number_id}`, by an owner. Omitted fields stay unchanged. */
export const updatePhoneNumberSchema = z
  .strictObject({
    outbound_enabled: z.boolean().optional(),
    /** There is always one default: another number replaces it, it cannot be unset. */
    is_default: z.literal(true).optional(),
  })
  .refine((value) => Object.keys(value).length > 0, 'must have at least one field to change');
export const phoneNumberEnvelopeSchema = z.strictObject({ phone_number: phoneNumberSchema });
