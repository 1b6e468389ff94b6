import { Alert, Skeleton, Stack } from '@mantine/core';
import type { TotalsBody } from '@outdial/contracts';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { useNow } from '../../shared/hooks/use-now.ts';
import { useAccount } from '../../shared/session/account.ts';
import { FirstRun } from '../first-run/first-run.tsx';
import { KeyFigures } from './key-figures.tsx';
import { OutcomePanel } from './outcome-panel.tsx';
import { totalsQuery } from './queries.ts';
import { RangeBar } from './range-bar.tsx';
import { browserZone, spanOf, stepLabels, type Span } from './span.ts';
import { SubjectTable } from './subject-table.tsx';

/** The first page after sign-in: the results of the account's calls. */
export function OverviewPage() {
  const { account_id: accountId } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/overview' });
  const navigate = useNavigate();
  const span = spanOf(search, browserZone(), useNow());
  const totals = useQuery(totalsQuery(accountId, span));
  return (
    <Page title="Overview" description={`Results of calls that ended in this period. Time zone: ${span.timeZone}.`}>
      <FirstRun />
      <RangeBar
        span={span}
        onChange={(next) =>
          void navigate({ to: '/accounts/$accountId/overview', params: { accountId }, search: next, replace: true })
        }
      />
      <Loaded query={totals} what="the overview" skeleton={<OverviewSkeleton />}>
        {(data) => <Figures accountId={accountId} span={span} totals={data} />}
      </Loaded>
    </Page>
  );
}

interface FiguresProps {
  readonly accountId: string;
  readonly span: Span;
  readonly totals: TotalsBody;
}

function Figures({ accountId, span, totals }: FiguresProps) {
  return (
    <Stack gap="lg">
      {!totals.is_complete && (
        <Alert color="blue" variant="light" title="Counting older calls">
          This takes a few minutes after an update. Until then these figures are too low.
        </Alert>
      )}
      <KeyFigures totals={totals} />
      {totals.all.calls === 0 ? (
        <EmptyState icon={IconChartBar} title="No calls ended in this period">
          Choose a longer period, or place a call. Calls appear here when they end.
        </EmptyState>
      ) : (
        <>
          <OutcomePanel totals={totals} labelOf={stepLabels(span, totals.step)} />
          <SubjectTable
            title="Agents"
            subject="Agent"
            currency={totals.currency}
            rows={totals.agents.map((agent) => ({
              ...agent,
              key: agent.agent_id,
              name: (
                <LinkText
                  to="/accounts/$accountId/calls"
                  params={{ accountId }}
                  search={{ agent_id: agent.agent_id }}
                  size="sm"
                  fw={550}
                >
                  {agent.name ?? 'Unavailable agent'}
                </LinkText>
              ),
            }))}
          />
          <SubjectTable
            title="Caller numbers"
            subject="Number"
            currency={totals.currency}
            rows={totals.numbers.map((number) => ({
              ...number,
              key: number.number,
              name: formatPhoneNumber(number.number),
            }))}
          />
        </>
      )}
    </Stack>
  );
}

function OverviewSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={112} radius="lg" />
      <Skeleton h={360} radius="lg" />
      <Skeleton h={180} radius="lg" />
    </Stack>
  );
}
