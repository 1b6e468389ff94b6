import { NumberInput, SimpleGrid } from '@mantine/core';
import { CAMPAIGN_LIMITS } from '@outdial/contracts';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { formatCount } from '../../../../shared/format/numbers.ts';
import { useCampaignFormContext } from './form-context.ts';

const { callsPerSecond, maxConcurrent, weight } = CAMPAIGN_LIMITS;

/** How fast it calls, and its part of the slots. */
export function PaceFields() {
  const form = useCampaignFormContext();
  return (
    <FieldGroup
      title="How fast"
      description="Never more than your account has slots for. Single calls always come before those of campaigns."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Calls that begin in a second"
          description={`At most ${callsPerSecond}. Empty: as many as there are slots.`}
          placeholder="No limit"
          allowNegative={false}
          {...form.getInputProps('calls_per_second')}
        />
        <NumberInput
          label="Calls that are open at once"
          description={`At most ${formatCount(maxConcurrent)}. Empty: as many as there are slots.`}
          placeholder="No limit"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('max_concurrent')}
        />
      </SimpleGrid>
      <NumberInput
        label="Weight"
        description={`${weight.min}–${weight.max}. Matters only while several campaigns run: one of 30 gets three times the slots of one of 10.`}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('weight')}
      />
    </FieldGroup>
  );
}
