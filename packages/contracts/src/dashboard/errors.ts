import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';

/** The error codes of the dashboard's routes, beside those of the public interface. */
export const DASHBOARD_ERROR_CODES = [
  'not_signed_in',
  'sign_in_failed',
  'sign_up_closed',
  'origin_not_allowed',
  'too_many_attempts',
  'wrong_password',
  'email_taken',
  'link_not_valid',
  'email_not_verified',
  'invitation_for_another_address',
  'account_not_found',
  'owner_only',
  'operator_only',
  'last_owner',
  'member_not_found',
  'phone_number_not_found',
  'worker_not_found',
  'number_exists',
  'trunk_not_found',
  'trunk_exists',
  'rates_not_valid',
  'user_not_found',
  'own_user',
  'request_not_found',
  'too_many_open_requests',
] as const;
export type DashboardErrorCode = (typeof DASHBOARD_ERROR_CODES)[number];

/** The same shape as the public interface's, so that one parser serves both. */
export const dashboardErrorSchema = z.object({
  error: z.object({
    code: z.enum([...ERROR_CODES, ...DASHBOARD_ERROR_CODES]),
    message: z.string(),
    param: z.string().optional(),
    details: z.unknown().optional(),
    request_id: z.string(),
  }),
});
export type DashboardErrorBody = z.output<typeof dashboardErrorSchema>;
