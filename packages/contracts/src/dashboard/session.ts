import { z } from 'zod';
import { accountIdSchema } from '../ids.ts';
import { nameText } from '../name.ts';
import { storableText } from '../text.ts';

export const ROLES = ['owner', 'member'] as const;
/** An owner also manages members, API keys and numbers. */
export type Role = (typeof ROLES)[number];

export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

const email = z.email('must be an e-mail address').max(254).toLowerCase();
const password = z
  .string()
  .min(PASSWORD_LENGTH.min, `must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `must have at most ${PASSWORD_LENGTH.max} characters`);
const name = nameText(100);
/** The token of an e-mailed link. */
const linkToken = storableText.min(1).max(200);

/** `POST /api/dashboard/users`. With an invitation the user joins its account; otherwise a new account is created. */
export const signUpSchema = z.strictObject({
  name,
  email,
  password,
  account_name: name.optional(),
  invitation: linkToken.optional(),
});
export type SignUpBody = z.output<typeof signUpSchema>;

/** `POST /api/dashboard/session`. */
export const signInSchema = z.strictObject({
  email,
  // No minimum length: an attacker who tries passwords must not learn the rule.
  password: z.string().min(1, 'must not be empty').max(PASSWORD_LENGTH.max),
});

/** `PUT /api/dashboard/password`. Every other session of the user ends. */
export const changePasswordSchema = z.strictObject({
  current_password: z.string().min(1, 'must not be empty').max(PASSWORD_LENGTH.max),
  new_password: password,
});

/** `POST /api/dashboard/password-resets`: sends a link to the address, if such a user exists. */
export const requestPasswordResetSchema = z.strictObject({ email });

/** `POST /api/dashboard/password-resets/complete`. Every session of the user ends. */
export const completePasswordResetSchema = z.strictObject({ token: linkToken, password });

/** `POST /api/dashboard/email-verifications/complete`, by the signed-in user whose address it is. */
export const completeEmailVerificationSchema = z.strictObject({ token: linkToken });

/** `POST /api/dashboard/invitations/accept`, by the signed-in user of the invited address; and `…/read`, by anyone. */
export const acceptInvitationSchema = z.strictObject({ token: linkToken });

export const membershipSchema = z.strictObject({
  account_id: accountIdSchema,
  account_name: z.string(),
  currency: z.string(),
  role: z.enum(ROLES),
});
export type Membership = z.output<typeof membershipSchema>;

/** Who has signed in: the response of `GET` and `POST /session`, `POST /users`, `POST /invitations/accept`. */
export const sessionSchema = z.strictObject({
  user: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** False: the user has not verified the address. */
    email_verified: z.boolean(),
    /** May see and control the platform. Only `npm run admin` grants it. */
    is_operator: z.boolean(),
  }),
  /** Oldest first. */
  memberships: z.array(membershipSchema),
});
export const sessionEnvelopeSchema = z.strictObject({ session: sessionSchema });
export type SessionBody = z.output<typeof sessionSchema>;

/** The response of a request that has nothing to return. */
export const doneSchema = z.strictObject({});
