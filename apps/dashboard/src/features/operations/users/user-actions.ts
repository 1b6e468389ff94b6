import type { OperatedUserBody } from '@outdial/contracts';
import type { UserChange } from './queries.ts';

/** What an operator can do with a user, in words. */
export interface UserAction {
  readonly change: UserChange;
  /** On the button: `Disable`. */
  readonly label: string;
  readonly title: string;
  /** What it means, and whether it can be undone. */
  readonly explanation: string;
  readonly confirmLabel: string;
  readonly done: string;
}

/** Without what would lock out the operator who is signed in. */
export function actionsOn(user: OperatedUserBody, ownId: string): readonly UserAction[] {
  const isOwn = user.id === ownId;
  return [
    ...(user.is_operator && isOwn ? [] : [roleAction(user)]),
    ...(isOwn ? [] : [signOutAction(user), enabledAction(user)]),
  ];
}

function roleAction({ id, email, is_operator: isOperator }: OperatedUserBody): UserAction {
  return isOperator
    ? {
        change: { kind: 'operator', id, isOperator: false },
        label: 'Remove operator',
        title: `Remove the operator role from ${email}?`,
        explanation: 'The user no longer sees the platform’s pages, within a second. Memberships in accounts stay.',
        confirmLabel: 'Remove operator',
        done: `${email} is no longer an operator.`,
      }
    : {
        change: { kind: 'operator', id, isOperator: true },
        label: 'Make operator',
        title: `Make ${email} an operator?`,
        explanation:
          'Operators see and change every account, number, trunk, rate and user. Check that the address belongs to the person you mean.',
        confirmLabel: 'Make operator',
        done: `${email} is now an operator.`,
      };
}

function signOutAction({ id, email }: OperatedUserBody): UserAction {
  return {
    change: { kind: 'end_sessions', id },
    label: 'Sign out everywhere',
    title: `Sign ${email} out everywhere?`,
    explanation: 'Every session of the user ends within a second. The user can sign in again.',
    confirmLabel: 'Sign out everywhere',
    done: `${email} is signed out everywhere.`,
  };
}

function enabledAction({ id, email, enabled }: OperatedUserBody): UserAction {
  return enabled
    ? {
        change: { kind: 'enable', id, enabled: false },
        label: 'Disable',
        title: `Disable ${email}?`,
        explanation: 'Every session of the user ends, and the user cannot sign in. You can enable the user again.',
        confirmLabel: 'Disable user',
        done: `${email} is disabled.`,
      }
    : {
        change: { kind: 'enable', id, enabled: true },
        label: 'Enable',
        title: `Enable ${email}?`,
        explanation: 'The user can sign in again, with the same password and memberships as before.',
        confirmLabel: 'Enable user',
        done: `${email} is enabled.`,
      };
}
