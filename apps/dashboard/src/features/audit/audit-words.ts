import type { AuditEntryBody, AuditSubject } from '@outdial/contracts';

export const SUBJECT_WORDS: Readonly<Record<AuditSubject, string>> = {
  account: 'Account',
  agent: 'Agents',
  call: 'Calls',
  destination: 'Blocked destinations',
  dialling: 'Dialling',
  invitation: 'Invitations',
  key: 'API keys',
  member: 'Members',
  number: 'Numbers',
  rates: 'Rates',
  system: 'System',
  trunk: 'Trunks',
  user: 'Sign-ins and users',
  wallet: 'Wallet',
  worker: 'Workers',
};

/** What an account's owners can filter by; the rest is the platform's. */
export const ACCOUNT_SUBJECTS = [
  'agent',
  'invitation',
  'key',
  'member',
  'number',
  'user',
  'wallet',
  'account',
  'destination',
] as const satisfies readonly AuditSubject[];

const ACTION_WORDS: Readonly<Record<string, string>> = {
  'user.sign_in': 'Signed in',
  'user.sign_in_failed': 'Wrong password',
  'user.sign_up': 'Signed up',
  'user.change_password': 'Changed the password',
  'user.reset_password': 'Reset the password by link',
  'user.set_password': 'Password set by an operator',
  'user.verify_email': 'E-mail address verified',
  'user.set_operator': 'Made an operator',
  'user.unset_operator': 'No longer an operator',
  'user.add_to_account': 'Added to the account',
  'user.create': 'User created',
  'agent.create': 'Agent created',
  'agent.update': 'Agent changed',
  'agent.grant': 'Agent shared',
  'agent.revoke': 'Agent no longer shared',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'member.join': 'Joined the account',
  'member.set_role': 'Role changed',
  'member.remove': 'Member removed',
  'invitation.create': 'Invitation sent',
  'invitation.withdraw': 'Invitation withdrawn',
  'number.add': 'Number added',
  'number.update': 'Number changed',
  'number.remove': 'Number removed',
  'number.set_default': 'Default number changed',
  'wallet.top_up': 'Wallet topped up',
  'wallet.trial_credit': 'Trial credit given',
  'account.create': 'Account created',
  'account.enable': 'Account enabled',
  'account.disable': 'Account disabled',
  'account.set_capacity': 'Call limit changed',
  'destination.block': 'Destination blocked',
  'destination.unblock': 'Destination unblocked',
  'call.end': 'Call ended by an operator',
};

/** What happened, in words; of an action that this page does not know, its name. */
export function actionWords({ action }: Pick<AuditEntryBody, 'action'>): string {
  return ACTION_WORDS[action] ?? action;
}

const ACTOR_WORDS: Readonly<Record<AuditEntryBody['actor']['kind'], string>> = {
  user: 'A former user',
  key: 'An API key',
  operator: 'An operator',
  system: 'Outdial',
  anonymous: 'Not signed in',
};

export function actorWords({ kind, name }: AuditEntryBody['actor']): string {
  if (name === null) return ACTOR_WORDS[kind];
  return kind === 'key' ? `API key “${name}”` : name;
}

/** What it was done to: a name where there is one, else what the entry says of it. */
export function subjectText({ subject_name: name, subject_type: type, subject_id: id, data }: AuditEntryBody): string {
  const email = data['email'];
  if (type === 'invitation' && typeof email === 'string') return email;
  if (type === 'destination' && typeof data['prefix'] === 'string') return `+${data['prefix']}`;
  return name ?? (type === 'account' || type === 'wallet' ? '' : id);
}
