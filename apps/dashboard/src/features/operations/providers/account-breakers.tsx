import { Stack, Text } from '@mantine/core';
import type { AccountBreakerBody, OperatedProvidersBody } from '@outdial/contracts';
import { LinkButton } from '../../../shared/components/links.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { Section } from '../section.tsx';
import { BreakerState } from './breaker-state.tsx';
import { BREAKER_REASONS } from './provider-words.ts';

type AccountBreakersProps = Pick<OperatedProvidersBody, 'account_breakers' | 'more_account_breakers'>;

/** Breakers that hold back one account's calls alone. */
export function AccountBreakers({ account_breakers: breakers, more_account_breakers: more }: AccountBreakersProps) {
  if (breakers === null || breakers.length === 0) return null;
  return (
    <Section title="Breakers of accounts" hint="Each holds back calls of one account. Other accounts are not affected.">
      <StackedTable label="Breakers of accounts" columns={['Account', 'Model', 'Breaker']}>
        {breakers.map((breaker) => (
          <BreakerRow key={keyOf(breaker)} breaker={breaker} />
        ))}
      </StackedTable>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(more)} more opened earlier.
        </Text>
      )}
    </Section>
  );
}

function keyOf({ account, provider, component, model, scope, credential, since, until }: AccountBreakerBody): string {
  return [account.id, provider, component, model, scope, credential, since, until].join(' ');
}

function BreakerRow({ breaker }: { readonly breaker: AccountBreakerBody }) {
  const { account, provider, component, model, credential, scope } = breaker;
  const name = account.name ?? 'Deleted account';
  return (
    <StackedRow
      cells={{
        Account: (
          <Text size="sm" fw={550}>
            {name}
          </Text>
        ),
        Model: (
          <Stack gap={0}>
            <Text size="sm">
              {model}, {COMPONENT_WORDS[component].toLowerCase()}
            </Text>
            <Text size="xs" c="dimmed">
              {PROVIDER_WORDS[provider]}, {credential ?? 'a credential that is not listed above'}
            </Text>
          </Stack>
        ),
        Breaker: <BreakerState breaker={breaker} reason={BREAKER_REASONS[scope]} />,
      }}
      actions={
        account.name !== null && (
          <LinkButton
            to="/operations/accounts/$operatedId"
            params={{ operatedId: account.id }}
            size="xs"
            variant="default"
            aria-label={`Manage ${name}`}
          >
            Manage
          </LinkButton>
        )
      }
    />
  );
}
