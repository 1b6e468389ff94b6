import type { AuditEntryBody, AuditSubject } from '@outdial/contracts';
import { formatCount } from '../../shared/format/numbers.ts';

export const SUBJECT_WORDS: Readonly<Record<AuditSubject, string>> = {
  account: 'Account',
  agent: 'Agents',
  call: 'Calls',
  credential: 'Provider credentials',
  destination: 'Blocked destinations',
  dialling: 'Dialing',
  invitation: 'Invitations',
  key: 'API keys',
  member: 'Members',
  number: 'Numbers',
  rates: 'Rates',
  secret: 'Secrets',
  suppression: 'Do-not-call list',
  model_rates: 'Model rates',
  system: 'System',
  trunk: 'Trunks',
  user: 'Sign-ins and users',
  wallet: 'Wallet',
  webhook_endpoint: 'Webhooks',
  webhooks: 'Sending of webhooks',
  worker: 'Workers',
};

/** The filters for an account's owners. The other subjects belong to the platform. */
export const ACCOUNT_SUBJECTS = [
  'agent',
  'credential',
  'invitation',
  'key',
  'member',
  'number',
  'secret',
  'suppression',
  'user',
  'wallet',
  'webhook_endpoint',
  'account',
  'destination',
] as const satisfies readonly AuditSubject[];

const ACTION_WORDS: Readonly<Record<string, string>> = {
  'user.sign_in': 'Signed in',
  'user.sign_in_failed': 'Sign-in failed',
  'user.sign_up': 'Signed up',
  'user.change_password': 'Password changed',
  'user.reset_password': 'Password reset by link',
  'user.set_password': 'Password set by an operator',
  'user.verify_email': 'E-mail address confirmed',
  'user.set_operator': 'Operator role added',
  'user.unset_operator': 'Operator role removed',
  'user.add_to_account': 'Member added',
  'user.create': 'User created',
  'user.disable': 'User disabled',
  'user.enable': 'User enabled',
  'user.end_sessions': 'User signed out everywhere',
  'agent.create': 'Agent created',
  'agent.update': 'Agent updated',
  'agent.grant': 'Agent shared',
  'agent.revoke': 'Agent unshared',
  'credential.create': 'Provider credential created',
  'credential.update': 'Provider credential limits changed',
  'credential.rotate': 'Provider credential rotated',
  'credential.remove': 'Provider credential removed',
  'secret.set': 'Secret set',
  'secret.remove': 'Secret removed',
  'suppression.add': 'Numbers added to the do-not-call list',
  'suppression.import': 'File imported to the do-not-call list',
  'suppression.opt_out': 'Opt-out recorded for a call',
  'suppression.remove': 'Number removed from the do-not-call list',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'member.join': 'Member joined',
  'member.set_role': 'Member role changed',
  'member.remove': 'Member removed',
  'invitation.create': 'Invitation sent',
  'invitation.withdraw': 'Invitation withdrawn',
  'number.add': 'Number added',
  'number.update': 'Number updated',
  'number.remove': 'Number removed',
  'number.set_default': 'Default number changed',
  'number.assign': 'Number assignment changed',
  'number.set_outbound': 'Outbound calls of a number changed',
  'wallet.top_up': 'Wallet topped up',
  'wallet.trial_credit': 'Trial credit added',
  'account.create': 'Account created',
  'account.enable': 'Account enabled',
  'account.disable': 'Account disabled',
  'account.set_capacity': 'Call limit changed',
  'account.update': 'Account limits changed',
  'destination.block': 'Destination blocked',
  'destination.unblock': 'Destination unblocked',
  'call.end': 'Call ended by an operator',
  'dialling.pause': 'Dialing paused',
  'dialling.resume': 'Dialing resumed',
  'rates.import': 'Rates imported',
  'model_rates.import': 'Model rates imported',
  'request.create': 'Request sent',
  'request.done': 'Request marked as done',
  'system.set_capacity': 'System call limit changed',
  'trunk.add': 'Trunk added',
  'trunk.disable': 'Trunk disabled',
  'trunk.enable': 'Trunk enabled',
  'trunk.remove': 'Trunk removed',
  'trunk.test': 'Trunk test requested',
  'trunk.update': 'Trunk updated',
  'webhook_endpoint.create': 'Webhook endpoint created',
  'webhook_endpoint.update': 'Webhook endpoint changed',
  'webhook_endpoint.enable': 'Webhook endpoint enabled by an operator',
  'webhook_endpoint.disable': 'Webhook endpoint disabled by an operator',
  'webhook_endpoint.remove': 'Webhook endpoint deleted',
  'webhook_endpoint.rotate_secret': 'Webhook secret rotated',
  'webhook_endpoint.test': 'Test message sent',
  'webhook_endpoint.resend': 'Webhook message sent again',
  'webhook_endpoint.replay': 'Replay of webhooks started',
  'webhook_endpoint.cancel_replay': 'Replay of webhooks canceled',
  'webhooks.pause': 'Sending of webhooks paused',
  'webhooks.resume': 'Sending of webhooks resumed',
  'worker.drain': 'Worker drained',
  'worker.resume': 'Worker resumed',
};

/** Describes an action. An action that this version does not know shows its name. */
export function actionWords({ action }: Pick<AuditEntryBody, 'action'>): string {
  return ACTION_WORDS[action] ?? action;
}

const ACTOR_WORDS: Readonly<Record<AuditEntryBody['actor']['kind'], string>> = {
  user: 'Deleted user',
  key: 'API key',
  operator: 'Operator',
  system: 'Outdial',
  anonymous: 'Not signed in',
};

export function actorWords({ kind, name }: AuditEntryBody['actor']): string {
  if (name === null) return ACTOR_WORDS[kind];
  return kind === 'key' ? `API key “${name}”` : name;
}

/** The target of the action: its name if it has one, else its id or address. */
export function subjectText({ subject_name: name, subject_type: type, subject_id: id, data }: AuditEntryBody): string {
  const email = data['email'];
  if (type === 'invitation' && typeof email === 'string') return email;
  if (type === 'destination' && typeof data['prefix'] === 'string') return `+${data['prefix']}`;
  if (type === 'suppression') return suppressionText(data);
  return name ?? (type === 'account' || type === 'wallet' ? '' : id);
}

/** The log has no telephone numbers: it counts them, or has the reason. */
function suppressionText({ added, reason }: AuditEntryBody['data']): string {
  const words = typeof added === 'number' ? [added === 1 ? '1 number' : `${formatCount(added)} numbers`] : [];
  return [...words, ...(typeof reason === 'string' ? [`“${reason}”`] : [])].join(', ');
}
