import { z } from 'zod';
import { e164Schema } from './e164.ts';
import { phoneNumberIdSchema } from './ids.ts';

export const phoneNumberSchema = z.strictObject({
  id: phoneNumberIdSchema.describe('Identifies the number.'),
  number: e164Schema.describe('The number in E.164.'),
  active: z.boolean().describe('False: the operator has withdrawn it.'),
  outbound_enabled: z.boolean().describe('Whether calls may come from it.'),
  is_default: z.boolean().describe('Calls without `from_number` come from it.'),
  created_at: z.iso.datetime({ precision: 3 }).describe('When the account received it.'),
});
export type PhoneNumberBody = z.output<typeof phoneNumberSchema>;

/** `GET /phone-numbers`. */
export const phoneNumberListSchema = z.strictObject({
  phone_numbers: z.array(phoneNumberSchema).describe('The default first.'),
});
