import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import type { Membership } from '@outdial/contracts';
import { useNavigate } from '@tanstack/react-router';
import classes from './account-switcher.module.css';

interface AccountSwitcherProps {
  readonly account: Membership;
  readonly memberships: readonly Membership[];
}

export function AccountSwitcher({ account, memberships }: AccountSwitcherProps) {
  const navigate = useNavigate();
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes['button']}>
          <VisuallyHidden>Account: </VisuallyHidden>
          <span className={classes['name']}>
            <Text size="sm" fw={550} truncate component="span" display="block">
              {account.account_name}
            </Text>
            <Text size="xs" c="dimmed" component="span" display="block">
              {account.role === 'owner' ? 'Owner' : 'Member'}
            </Text>
          </span>
          <VisuallyHidden>. Switch account</VisuallyHidden>
          <IconSelector size={16} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Accounts</Menu.Label>
        {memberships.map(({ account_id: accountId, account_name: name }) => (
          <Menu.Item
            key={accountId}
            onClick={() => void navigate({ to: '/accounts/$accountId/calls', params: { accountId } })}
            rightSection={accountId === account.account_id ? <IconCheck size={15} aria-label="current" /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
