import { Checkbox, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SCHEDULE_LIMITS } from '@outdial/contracts';
import { ENDED_REASON_WORDS } from '../words/ended-reason.ts';
import { MAY_HAVE_RUNG, RETRY_REASONS, type RetryDraft } from './retry-draft.ts';
import { waitChoices } from './retry-words.ts';

interface RetryFieldsProps<Values> {
  /** A form with the field `retry`. */
  readonly form: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps'>;
}

const { attempts } = SCHEDULE_LIMITS;

/** Whether to call again, how often, after which outcomes and after how long. */
export function RetryFields<Values extends { readonly retry: RetryDraft }>({ form }: RetryFieldsProps<Values>) {
  return (
    <Stack gap="sm">
      <Checkbox
        label="Try again"
        description="Calls again if the call ends without success."
        {...form.getInputProps('retry.is_on', { type: 'checkbox' })}
      />
      {form.values.retry.is_on && (
        <Stack gap="sm" pl="xl">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label="Calls in all"
              description={`${attempts.min}–${attempts.max}, the first one included`}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('retry.max_attempts')}
            />
            <Select
              label="Wait before the next call"
              description="From the end of a call"
              data={waitChoices(form.values.retry.after_seconds)}
              allowDeselect={false}
              {...form.getInputProps('retry.after_seconds')}
            />
          </SimpleGrid>
          <Checkbox.Group label="After these outcomes" {...form.getInputProps('retry.on')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
              {RETRY_REASONS.map((reason) => (
                <Checkbox
                  key={reason}
                  value={reason}
                  label={ENDED_REASON_WORDS[reason].label}
                  description={MAY_HAVE_RUNG.includes(reason) ? 'The phone may have rung already.' : undefined}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </Stack>
      )}
    </Stack>
  );
}
