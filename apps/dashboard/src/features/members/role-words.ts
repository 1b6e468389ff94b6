import type { Role } from '@outdial/contracts';

export const ROLE_WORDS: Readonly<Record<Role, string>> = { owner: 'Owner', member: 'Member' };
