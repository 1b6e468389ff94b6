import { Checkbox, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CALL_LIMITS, ENDED_REASONS, endedReasons, SCHEDULE_LIMITS, type AgentSummaryBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { phoneNumbersQuery } from '../../../shared/account/queries.ts';
import { formatCount, formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { useAccount } from '../../../shared/session/account.ts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import type { SettingsDraft } from './settings-draft.ts';

interface FixedFieldsProps {
  readonly form: UseFormReturnType<SettingsDraft>;
  readonly agents: readonly AgentSummaryBody[];
  readonly hasStarted: boolean;
}

const { maxDurationSeconds, ringTimeoutSeconds } = CALL_LIMITS;
const { attempts } = SCHEDULE_LIMITS;
const RETRYABLE = endedReasons.filter((reason) => ENDED_REASONS[reason].retryable && reason !== 'schedule_expired');

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
        <NumberInput
          label="Ring timeout"
          description={`${ringTimeoutSeconds.min}–${formatCount(ringTimeoutSeconds.max)} seconds`}
          placeholder={String(ringTimeoutSeconds.default)}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('ring_timeout_seconds')}
        />
        <NumberInput
          label="Max duration"
          description={`${maxDurationSeconds.min}–${formatCount(maxDurationSeconds.max)} seconds`}
          placeholder={String(maxDurationSeconds.default)}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('max_duration_seconds')}
        />
      </SimpleGrid>
      <TextInput
        label="Webhook URL"
        description="Receives the events of these calls. Empty: only your endpoints."
        autoComplete="off"
        {...form.getInputProps('webhook_url')}
      />
      <Switch
        label="Try again"
        description="Calls a contact again who was not reached."
        {...form.getInputProps('retry.is_on', { type: 'checkbox' })}
      />
      {form.values.retry.is_on && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label="Calls in all"
              description={`${attempts.min}–${attempts.max}, the first one included`}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('retry.max_attempts')}
            />
            <TextInput
              label="Minutes before each further call"
              description="The last one repeats."
              placeholder="15, 60, 240"
              autoComplete="off"
              {...form.getInputProps('retry.minutes')}
            />
          </SimpleGrid>
          <Checkbox.Group label="After these outcomes" {...form.getInputProps('retry.on')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
              {RETRYABLE.map((reason) => (
                <Checkbox key={reason} value={reason} label={ENDED_REASON_WORDS[reason].label} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </>
      )}
    </Stack>
  );
}
