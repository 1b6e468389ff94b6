import { z } from 'zod';
import { accountIdSchema } from '../ids.ts';

/** The subjects of audit entries, and the values that entries can be filtered by. */
export const AUDIT_SUBJECTS = [
  'account',
  'agent',
  'call',
  'campaign',
  'credential',
  'destination',
  'dialling',
  'invitation',
  'key',
  'member',
  'number',
  'policy',
  'rates',
  'secret',
  'suppression',
  'model_rates',
  'system',
  'trunk',
  'user',
  'wallet',
  'webhook_endpoint',
  'webhooks',
  'worker',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Who acted. Customers see that an operator acted, but not the operator's name. */
export const AUDIT_ACTORS = ['user', 'key', 'operator', 'system', 'anonymous'] as const;

export const auditEntrySchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  actor: z.strictObject({ kind: z.enum(AUDIT_ACTORS), name: z.string().nullable() }),
  /** The noun and the verb, such as `agent.update`. */
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  /** The name of the user, or of the subject. */
  subject_name: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type AuditEntryBody = z.output<typeof auditEntrySchema>;

/** The query of `GET …/audit`, as text from a query string. */
export const auditQuerySchema = z.strictObject({
  subject: z.enum(AUDIT_SUBJECTS, `must be one of ${AUDIT_SUBJECTS.join(', ')}`).optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'must be `next_before` of the previous page')
    .optional(),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(50),
});
/** The query of `GET /api/dashboard/operations/audit`, for operators. */
export const operatorAuditQuerySchema = auditQuerySchema.extend({ account_id: accountIdSchema.optional() });

/** Newest first. */
export const auditPageSchema = z.strictObject({
  entries: z.array(auditEntrySchema),
  /** Pass it as `before` to get the next page. Null: this is the last page. */
  next_before: z.string().nullable(),
});
