import { Checkbox, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SCHEDULE_LIMITS } from '@outdial/contracts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import type { PlacementValues } from '../model/placement-form.ts';
import { MAY_HAVE_RUNG, RETRY_REASONS } from '../model/placement-schedule.ts';
import { WAIT_CHOICES } from '../model/placement-words.ts';

interface RetryFieldsProps {
  readonly form: UseFormReturnType<PlacementValues>;
}

const { attempts } = SCHEDULE_LIMITS;

/** Whether to call again, how often, after which outcomes and after how long. */
export function RetryFields({ form }: RetryFieldsProps) {
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
              data={WAIT_CHOICES}
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
