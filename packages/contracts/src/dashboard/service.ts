import { z } from 'zod';
import { e164Schema } from '../e164.ts';

/** `GET /api/dashboard/service`: what may be known without signing in. */
export const serviceSchema = z.strictObject({
  version: z.string(),
  /** Who may make a user: anybody, or whoever was invited to an account. */
  sign_up: z.enum(['open', 'invited']),
  /** Where API clients reach the service, without a slash at the end. */
  base_url: z.string(),
  /** Numbers of the simulated telephone network; empty where calls go to real telephones. */
  test_numbers: z.array(z.strictObject({ number: e164Schema, behaviour: z.string() })),
});
export const serviceEnvelopeSchema = z.strictObject({ service: serviceSchema });
export type ServiceBody = z.output<typeof serviceSchema>;
