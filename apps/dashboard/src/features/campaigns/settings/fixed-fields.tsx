import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AgentSummaryBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { phoneNumbersQuery } from '../../../shared/account/queries.ts';
import { CallLimitFields } from '../../../shared/forms/call-limit-fields.tsx';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { RetryFields } from '../../../shared/retry/retry-fields.tsx';
import { useAccount } from '../../../shared/session/account.ts';
import type { SettingsDraft } from './settings-draft.ts';

interface FixedFieldsProps {
  readonly form: UseFormReturnType<SettingsDraft>;
  readonly agents: readonly AgentSummaryBody[];
  readonly hasStarted: boolean;
}

/** What may be changed before the start, and while the campaign is paused. */
export function FixedFields({ form, agents, hasStarted }: FixedFieldsProps) {
  const { account_id: accountId } = useAccount();
  const numbers = useQuery(phoneNumbersQuery(accountId)).data ?? [];
  const select = (name: 'agent_id' | 'from_number') => {
    const { value, ...input } = form.getInputProps(name);
    return {
      ...input,
      value: value === '' ? null : value,
      onChange: (chosen: string | null) => form.setFieldValue(name, chosen ?? ''),
    };
  };
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Agent"
          description={hasStarted ? 'Another one is taken in the version that it has now.' : undefined}
          data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
          searchable
          {...select('agent_id')}
        />
        <Select
          label="Call from"
          placeholder="The account’s default"
          data={numbers.map(({ number }) => ({ value: number, label: formatPhoneNumber(number) }))}
          clearable
          {...select('from_number')}
        />
        {!hasStarted && (
          <TextInput
            type="datetime-local"
            label="Start"
            description="Not before. Empty: when you start it."
            {...form.getInputProps('starts_at')}
          />
        )}
        <TextInput
          label="Country of numbers"
          description="Of numbers without a country code, such as US."
          autoComplete="off"
          maxLength={2}
          {...form.getInputProps('default_country')}
        />
        <CallLimitFields inputProps={(name) => form.getInputProps(name)} />
      </SimpleGrid>
      <TextInput
        label="Webhook URL"
        description="Receives the events of these calls. Empty: only your endpoints."
        autoComplete="off"
        {...form.getInputProps('webhook_url')}
      />
      <RetryFields form={form} />
      <Textarea
        label="Columns of files"
        description={
          'Names the column of each field, as JSON: {"to_number": "Phone", "variables": {"name": "First name"}}. Empty: columns are found by their names.'
        }
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps('columns')}
      />
      <Textarea
        label="Metadata"
        description="Your own data, as a JSON object."
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps('metadata')}
      />
    </Stack>
  );
}
