import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DeckBody } from '@outdial/contracts';
import { IconReceipt2, IconUpload } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { SearchField, useSearch } from '../parts/search-field.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { decksQuery, ratesQuery } from './queries.ts';
import { RateTable } from './rate-table.tsx';

const TITLE = 'Rates';

export function RatesPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Rates />
    </OperatorsArea>
  );
}

function Rates() {
  const decks = useQuery(decksQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isOpen, dialog] = useDisclosure(false);
  const deck = decks.data?.find(({ currency }) => currency === chosen) ?? decks.data?.[0];
  const importButton = (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={dialog.open}>
      Import rates
    </Button>
  );
  return (
    <Page
      title={TITLE}
      description="Call prices by destination prefix; the longest match applies. Numbers without a rate cannot be called."
      actions={deck === undefined ? undefined : importButton}
    >
      <Loaded query={decks} what="rates" skeleton={<TableSkeleton />}>
        {(found) =>
          deck === undefined ? (
            <EmptyState icon={IconReceipt2} title="No rates yet" action={importButton}>
              Import a CSV file with your carrier’s prices. Until then, no calls can be placed.
            </EmptyState>
          ) : (
            <Deck key={deck.currency} deck={deck} decks={found} onChoose={setChosen} />
          )
        }
      </Loaded>
      <ImportDialog isOpen={isOpen} onClose={dialog.close} currency={deck?.currency ?? 'USD'} onImported={setChosen} />
    </Page>
  );
}

interface DeckProps {
  readonly deck: DeckBody;
  readonly decks: readonly DeckBody[];
  readonly onChoose: (currency: string) => void;
}

function Deck({ deck, decks, onChoose }: DeckProps) {
  const search = useSearch();
  const rates = useInfiniteQuery(ratesQuery(deck.currency, search.search));
  return (
    <Stack>
      <Group align="flex-end" gap="md">
        {decks.length > 1 && (
          <NativeSelect
            aria-label="Currency"
            data={decks.map(({ currency }) => currency)}
            value={deck.currency}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          />
        )}
        <SearchField label="Search rates" placeholder="Number, prefix or destination" search={search} />
      </Group>
      <Text size="sm" c="dimmed">
        {deck.rates === 1 ? '1 rate' : `${formatCount(deck.rates)} rates`} in {deck.currency}, version {deck.version},
        imported <DateTime at={deck.updated_at} />
      </Text>
      <Loaded query={rates} what="rates" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.rates);
          if (found.length > 0) return <RateTable rates={found} currency={deck.currency} />;
          return (
            <EmptyState icon={IconReceipt2} title="No rates found">
              Numbers with this prefix cannot be called. Search for fewer digits or import more rates.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore list={rates} />
    </Stack>
  );
}
