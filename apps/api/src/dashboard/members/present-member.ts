import type { InvitationBody, MemberBody } from '@outdial/contracts';
import type { InvitationRecord, Member } from '@outdial/identity';
import { timestamp } from '@outdial/presentation';

export function presentMember({ userId, name, email, role, joinedAtMs }: Member): MemberBody {
  return { user_id: userId, name, email, role, joined_at: timestamp(joinedAtMs) };
}

export function presentInvitation({ id, email, role, createdAtMs, expiresAtMs }: InvitationRecord): InvitationBody {
  return { id, email, role, created_at: timestamp(createdAtMs), expires_at: timestamp(expiresAtMs) };
}
