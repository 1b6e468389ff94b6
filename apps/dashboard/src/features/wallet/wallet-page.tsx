import { Skeleton, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../shared/account/queries.ts';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { Figure } from '../../shared/components/figure.tsx';
import { formatMoney } from '../../shared/format/numbers.ts';
import { useAccount } from '../../shared/session/account.ts';
import { Ledger } from './ledger.tsx';
import { SpendPanel } from './spend-panel.tsx';

/** The reserved amount changes with every open call. */
const REFRESH_MS = 10_000;

export function WalletPage() {
  const { account_id: accountId, currency } = useAccount();
  const account = useQuery({ ...accountQuery(accountId), refetchInterval: REFRESH_MS });
  return (
    <Page title="Wallet" description="Your calls are paid from this wallet. To top it up, contact your operator.">
      <Loaded query={account} what="the wallet" skeleton={<FiguresSkeleton />}>
        {({ wallet }) => (
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <Figure
              label="Available"
              value={formatMoney(wallet.available, wallet.currency)}
              hint="For new calls"
              isMain
            />
            <Figure label="Balance" value={formatMoney(wallet.balance, wallet.currency)} hint="Top-ups minus charges" />
            <Figure label="Reserved" value={formatMoney(wallet.held, wallet.currency)} hint="For open calls" />
          </SimpleGrid>
        )}
      </Loaded>
      <SpendPanel accountId={accountId} />
      <Ledger accountId={accountId} currency={currency} />
    </Page>
  );
}

function FiguresSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Skeleton h={112} radius="lg" />
      <Skeleton h={112} radius="lg" />
      <Skeleton h={112} radius="lg" />
    </SimpleGrid>
  );
}
