import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import {
  IconActivityHeartbeat,
  IconBuilding,
  IconHash,
  IconHistory,
  IconMessageCircle,
  IconPlugConnected,
  IconReceipt2,
  IconRouteAltLeft,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import { LinkNav } from '../../../shared/components/links.tsx';
import { openRequestCountQuery } from '../requests/queries.ts';

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: Icon;
}

const ENTRIES = [
  { to: '/operations', label: 'Operations', icon: IconActivityHeartbeat },
  { to: '/operations/accounts', label: 'Accounts', icon: IconBuilding },
  { to: '/operations/numbers', label: 'All numbers', icon: IconHash },
  { to: '/operations/trunks', label: 'Trunks', icon: IconRouteAltLeft },
  { to: '/operations/providers', label: 'Providers', icon: IconPlugConnected },
  { to: '/operations/rates', label: 'Rates', icon: IconReceipt2 },
  { to: '/operations/users', label: 'Users', icon: IconUsersGroup },
  { to: '/operations/audit', label: 'Platform audit log', icon: IconHistory },
] as const satisfies readonly Entry[];

/** Links to the operator pages. */
export function OperatorNavigation({ className }: { readonly className: string | undefined }) {
  return (
    <>
      {ENTRIES.map(({ to, label, icon: EntryIcon }) => (
        <LinkNav
          key={to}
          to={to}
          label={label}
          leftSection={<EntryIcon size={18} stroke={1.6} aria-hidden />}
          className={className}
          activeOptions={{ exact: to === '/operations', includeSearch: false }}
        />
      ))}
      <RequestsEntry className={className} />
    </>
  );
}

function RequestsEntry({ className }: { readonly className: string | undefined }) {
  const { data: count = 0 } = useQuery(openRequestCountQuery);
  return (
    <LinkNav
      to="/operations/requests"
      label="Account requests"
      leftSection={<IconMessageCircle size={18} stroke={1.6} aria-hidden />}
      rightSection={
        count > 0 && (
          <Badge size="sm" variant="light" aria-label={`${count} open`}>
            {count}
          </Badge>
        )
      }
      className={className}
    />
  );
}
