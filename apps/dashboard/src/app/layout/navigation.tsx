import { useNavigate, type LinkProps } from '@tanstack/react-router';
import {
  IconBan,
  IconChartBar,
  IconClockPause,
  IconHash,
  IconHistory,
  IconKey,
  IconMessageCircle,
  IconPhone,
  IconPlugConnected,
  IconRobotFace,
  IconSpeakerphone,
  IconUsers,
  IconWallet,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import { OperatorNavigation } from '../../features/operations/parts/operator-navigation.tsx';
import { LinkNav } from '../../shared/components/links.tsx';
import { useShortcut } from '../../shared/shortcuts/shortcuts.ts';
import classes from './navigation.module.css';

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly keys: string;
  readonly icon: Icon;
  /** Hidden from members. */
  readonly ownersOnly?: boolean;
}

const ACCOUNT_ENTRIES = [
  { to: '/accounts/$accountId/overview', label: 'Overview', keys: 'g v', icon: IconChartBar },
  { to: '/accounts/$accountId/calls', label: 'Calls', keys: 'g c', icon: IconPhone },
  { to: '/accounts/$accountId/campaigns', label: 'Campaigns', keys: 'g p', icon: IconSpeakerphone },
  { to: '/accounts/$accountId/agents', label: 'Agents', keys: 'g a', icon: IconRobotFace },
  { to: '/accounts/$accountId/numbers', label: 'Numbers', keys: 'g n', icon: IconHash },
  { to: '/accounts/$accountId/do-not-call', label: 'Do not call', keys: 'g d', icon: IconBan },
  { to: '/accounts/$accountId/calling-hours', label: 'Calling hours', keys: 'g t', icon: IconClockPause },
  { to: '/accounts/$accountId/wallet', label: 'Wallet', keys: 'g w', icon: IconWallet },
  { to: '/accounts/$accountId/api-keys', label: 'API keys', keys: 'g k', icon: IconKey },
  {
    to: '/accounts/$accountId/credentials',
    label: 'Credentials',
    keys: 'g s',
    icon: IconPlugConnected,
    ownersOnly: true,
  },
  { to: '/accounts/$accountId/webhooks', label: 'Webhooks', keys: 'g h', icon: IconWebhook },
  { to: '/accounts/$accountId/members', label: 'Members', keys: 'g m', icon: IconUsers },
  { to: '/accounts/$accountId/requests', label: 'Requests', keys: 'g r', icon: IconMessageCircle },
  { to: '/accounts/$accountId/audit', label: 'Audit log', keys: 'g l', icon: IconHistory, ownersOnly: true },
] as const satisfies readonly Entry[];

interface AccountNavigationProps {
  readonly accountId: string;
  readonly isOwner: boolean;
}

export function AccountNavigation({ accountId, isOwner }: AccountNavigationProps) {
  return ACCOUNT_ENTRIES.filter((entry) => isOwner || !('ownersOnly' in entry)).map((entry) => (
    <AccountEntry key={entry.to} accountId={accountId} entry={entry} />
  ));
}

interface AccountEntryProps {
  readonly accountId: string;
  readonly entry: (typeof ACCOUNT_ENTRIES)[number];
}

function AccountEntry({ accountId, entry: { to, label, keys, icon: EntryIcon } }: AccountEntryProps) {
  const navigate = useNavigate();
  useShortcut(keys, `Go to ${label}`, () => void navigate({ to, params: { accountId } }));
  return (
    <LinkNav
      to={to}
      params={{ accountId }}
      label={label}
      leftSection={<EntryIcon size={18} stroke={1.6} aria-hidden />}
      className={classes['entry']}
      // A call's page keeps "Calls" active, and so does any filter.
      activeOptions={{ exact: false, includeSearch: false }}
    />
  );
}

export function PlatformNavigation() {
  const navigate = useNavigate();
  useShortcut('g o', 'Go to Operations', () => void navigate({ to: '/operations' }));
  return <OperatorNavigation className={classes['entry']} />;
}
