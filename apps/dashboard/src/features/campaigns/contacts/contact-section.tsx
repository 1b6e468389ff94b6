import { Button, Center, Group, Select, Stack, Text, Title } from '@mantine/core';
import type { CampaignBody } from '@outdial/contracts';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { contactsQuery, isMoving, resultsHref } from '../queries.ts';
import { OUTCOMES, type ContactOutcome } from '../search.ts';
import { OUTCOME_CHOICES } from '../words/outcome-words.ts';
import { ContactTable } from './contact-table.tsx';

interface ContactSectionProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
}

/** The contacts, each with its last call, by outcome if asked. */
export function ContactSection({ id, campaign }: ContactSectionProps) {
  const { accountId, campaignId } = id;
  const { outcome } = useSearch({ from: '/signed-in/accounts/$accountId/campaigns/$campaignId' });
  const navigate = useNavigate();
  const moves = isMoving(campaign);
  const contacts = useInfiniteQuery(contactsQuery(id, { outcome, isMoving: moves }));
  // The last refresh may be from before the last call ended.
  const refresh = useEffectEvent(() => void contacts.refetch());
  useEffect(() => {
    if (!moves) refresh();
  }, [moves]);
  const filter = (next: ContactOutcome | undefined) =>
    void navigate({
      to: '/accounts/$accountId/campaigns/$campaignId',
      params: { accountId, campaignId },
      search: { outcome: next },
      replace: true,
      resetScroll: false,
    });
  return (
    <Stack gap="sm" component="section" aria-label="Contacts">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={2} size="h4">
          Contacts
        </Title>
        <Group gap="sm">
          <Select
            aria-label="Outcome of the contacts"
            placeholder="Any outcome"
            data={OUTCOME_CHOICES}
            value={outcome ?? null}
            onChange={(value) => filter(OUTCOMES.find((known) => known === value))}
            searchable
            clearable
            nothingFoundMessage="No outcomes found"
          />
          <Button
            component="a"
            href={resultsHref(id)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download results
          </Button>
        </Group>
      </Group>
      <Loaded query={contacts} what="contacts" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.contacts);
          return list.length === 0 ? (
            <Text size="sm" c="dimmed">
              {outcome === undefined ? 'No contacts yet: add a file or a few numbers.' : 'No contact has this outcome.'}
            </Text>
          ) : (
            <ContactTable
              accountId={accountId}
              contacts={list}
              hasUploads={pages[0]?.contacts[0]?.upload !== list.at(-1)?.upload}
            />
          );
        }}
      </Loaded>
      {contacts.hasNextPage && (
        <Center>
          <Button variant="default" loading={contacts.isFetchingNextPage} onClick={() => void contacts.fetchNextPage()}>
            Load more contacts
          </Button>
        </Center>
      )}
    </Stack>
  );
}
