import { z } from 'zod';
import { e164Schema } from '../e164.ts';

/** `GET /api/dashboard/service`: what is public without signing in. */
export const serviceSchema = z.strictObject({
  version: z.string(),
  /** Who may create a user: anyone, or only people invited to an account. */
  sign_up: z.enum(['open', 'invited']),
  /** The base URL for API clients, without a trailing slash. */
  base_url: z.string(),
  /** Numbers of the simulated telephone network; empty if calls go to real telephones. */
  test_numbers: z.array(z.strictObject({ number: e164Schema, behaviour: z.string() })),
});
export const serviceEnvelopeSchema = z.strictObject({ service: serviceSchema });
export type ServiceBody = z.output<typeof serviceSchema>;
