import { z } from 'zod';
import { ROLES } from './session.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const memberSchema = z.strictObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  joined_at: timestamp,
});
export type MemberBody = z.output<typeof memberSchema>;

export const invitationSchema = z.strictObject({
  id: z.guid(),
  email: z.string(),
  role: z.enum(ROLES),
  created_at: timestamp,
  expires_at: timestamp,
});
export type InvitationBody = z.output<typeof invitationSchema>;

/** `GET …/members`. */
export const memberListSchema = z.strictObject({
  members: z.array(memberSchema),
  /** Invitations that are not accepted yet; empty for members who are not owners. */
  invitations: z.array(invitationSchema),
});

/** `POST …/invitations`, by an owner. The link is sent by e-mail. */
export const createInvitationSchema = z.strictObject({
  email: z.email('must be an e-mail address').max(254).toLowerCase(),
  role: z.enum(ROLES),
});
/** The owner receives `link` too: not every installation sends e-mail. */
export const createdInvitationSchema = z.strictObject({ invitation: invitationSchema, link: z.string() });

/** `POST /api/dashboard/invitations/read`: who invites to which account, for the holder of the link. */
export const invitationDetailsSchema = z.strictObject({
  account_name: z.string(),
  /** The only address that can accept the invitation. */
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: z.strictObject({ name: z.string(), email: z.string() }),
  expires_at: timestamp,
});
export const invitationDetailsEnvelopeSchema = z.strictObject({ invitation: invitationDetailsSchema });
export type InvitationDetailsBody = z.output<typeof invitationDetailsSchema>;

/** `PATCH …/members/{user_id}`, by an owner. */
export const updateMemberSchema = z.strictObject({ role: z.enum(ROLES) });
export const memberEnvelopeSchema = z.strictObject({ member: memberSchema });
