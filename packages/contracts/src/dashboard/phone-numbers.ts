import { z } from 'zod';
import { phoneNumberSchema } from '../phone-numbers.ts';

/** `PATCH …/phone-numbers/{phone_number_id}`, by an owner. Omitted fields stay unchanged. */
export const updatePhoneNumberSchema = z
  .strictObject({
    outbound_enabled: z.boolean().optional(),
    /** There is always one default: another number replaces it, it cannot be unset. */
    is_default: z.literal(true).optional(),
  })
  .refine((value) => Object.keys(value).length > 0, 'must have at least one field to change');
export const phoneNumberEnvelopeSchema = z.strictObject({ phone_number: phoneNumberSchema });
