import type { OperatedUserBody } from '@outdial/contracts';
import type { UserChange } from './queries.ts';

/** An operator's action on a user, with its texts. */
export interface UserAction {
  readonly change: UserChange;
  /** The button's label: `Disable`. */
  readonly label: string;
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly explanation: string;
  readonly confirmLabel: string;
  readonly done: string;
}

/** Excludes actions that would lock out the signed-in operator. */
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
        explanation: 'The user loses access to the operator pages within a second. Account memberships stay.',
        confirmLabel: 'Remove operator',
        done: `${email} is no longer an operator.`,
      }
    : {
        change: { kind: 'operator', id, isOperator: true },
        label: 'Make operator',
        title: `Make ${email} an operator?`,
        explanation:
          'Operators can view and change every account, number, trunk, rate and user. Check that this is the right person.',
        confirmLabel: 'Make operator',
        done: `${email} is now an operator.`,
      };
}

function signOutAction({ id, email }: OperatedUserBody): UserAction {
  return {
    change: { kind: 'end_sessions', id },
    label: 'Sign out everywhere',
    title: `Sign ${email} out everywhere?`,
    explanation: 'All sessions of the user end within a second. The user can sign in again.',
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
        explanation: 'All sessions of the user end, and the user can no longer sign in. You can enable the user again.',
        confirmLabel: 'Disable user',
        done: `${email} disabled.`,
      }
    : {
        change: { kind: 'enable', id, enabled: true },
        label: 'Enable',
        title: `Enable ${email}?`,
        explanation: 'The user can sign in again with the same password and memberships.',
        confirmLabel: 'Enable user',
        done: `${email} enabled.`,
      };
}
