import { Button, Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { agentIdSchema, CALL_STATUSES, endedReasons, type AgentSummaryBody } from '@outdial/contracts';
import { CALL_STATUS_WORDS } from '../../../shared/words/call-status.ts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import { countFilters, type CallFilters } from '../model/call-filters.ts';
import { CampaignFilter } from './campaign-filter.tsx';
import { CreatedFilter } from './created-filter.tsx';
import { SearchFilter } from './search-filter.tsx';
import classes from './filter-bar.module.css';

const STATUSES = CALL_STATUSES.map((value) => ({ value, label: CALL_STATUS_WORDS[value].label }));
const REASONS = endedReasons
  .map((value) => ({ value, label: ENDED_REASON_WORDS[value].label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

interface FilterBarProps {
  readonly filters: CallFilters;
  readonly agents: readonly AgentSummaryBody[];
  readonly onChange: (filters: CallFilters) => void;
}

export function FilterBar({ filters, agents, onChange }: FilterBarProps) {
  const change = (part: CallFilters) => onChange({ ...filters, ...part });
  return (
    <Group gap="sm" align="flex-start" role="search" aria-label="Filter calls" className={classes['bar']}>
      <div className={classes['number']}>
        <SearchFilter
          value={filters.search ?? filters.to_number ?? ''}
          onChange={(text) => change({ search: text === '' ? undefined : text, to_number: undefined })}
        />
      </div>
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={STATUSES}
        value={filters.status ?? null}
        // An open call has no outcome, so the two filters together would match nothing.
        onChange={(value) => {
          const status = CALL_STATUSES.find((known) => known === value);
          change({ status, ...(status === 'ended' ? {} : { ended_reason: undefined }) });
        }}
        clearable
        className={classes['choice']}
      />
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        data={REASONS}
        value={filters.ended_reason ?? null}
        onChange={(value) => {
          const ended_reason = endedReasons.find((known) => known === value);
          const isOpen = filters.status !== undefined && filters.status !== 'ended';
          change({ ended_reason, ...(ended_reason !== undefined && isOpen ? { status: undefined } : {}) });
        }}
        searchable
        clearable
        nothingFoundMessage="No outcomes found"
        className={classes['choice']}
      />
      <Select
        aria-label="Agent"
        placeholder="Any agent"
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={filters.agent_id ?? null}
        onChange={(value) => change({ agent_id: agentIdSchema.safeParse(value).data })}
        searchable
        clearable
        nothingFoundMessage="No agents found"
        className={classes['choice']}
      />
      {filters.campaign_id !== undefined && (
        <CampaignFilter campaignId={filters.campaign_id} onClear={() => change({ campaign_id: undefined })} />
      )}
      <CreatedFilter
        filters={filters}
        onChange={({ created_after, created_before }) => change({ created_after, created_before })}
      />
      {countFilters(filters) > 0 && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={() => onChange({})}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}
