import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { OperatedAccountBody } from '@outdial/contracts';
import type { ReactNode } from 'react';
import { CopyText } from '../../../shared/components/copy-text.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { TopUpDialog } from '../top-up-dialog.tsx';
import { EnabledBadge } from '../parts/enabled-badge.tsx';

export function AccountFacts({ account }: { readonly account: OperatedAccountBody }) {
  const topUp = useDialogAbout<OperatedAccountBody>();
  return (
    <Paper withBorder p="lg" radius="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="lg">
        <Fact label="Balance">
          <Group gap="sm">
            <Text className="tabular" fw={600}>
              {formatMoney(account.balance, account.currency)}
            </Text>
            <Button size="xs" onClick={() => topUp.open(account)}>
              Top up
            </Button>
          </Group>
        </Fact>
        <Fact label="Status">
          <EnabledBadge isEnabled={account.enabled} />
        </Fact>
        <Fact label="Account ID">
          <Group gap={4} wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {account.id}
            </Text>
            <CopyText text={account.id} label="Copy account ID" />
          </Group>
        </Fact>
        <Fact label="Created">
          <DateTime at={account.created_at} />
        </Fact>
      </SimpleGrid>
      <TopUpDialog dialog={topUp} />
    </Paper>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {children}
    </Stack>
  );
}
