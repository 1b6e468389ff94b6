import { Group, NumberInput } from '@mantine/core';
import type { LimitsDraft } from './credential-form.ts';

interface LimitFieldsProps {
  /** As `getInputProps` of the form. */
  readonly inputProps: (field: keyof LimitsDraft) => object;
}

/** All may be empty. */
export function LimitFields({ inputProps }: LimitFieldsProps) {
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Most calls at once"
        description="Empty: 50 for hearing by Deepgram, 100 for xAI, else 1,000."
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...inputProps('max_concurrent_calls')}
      />
      <NumberInput
        label="Call starts per second"
        description="Empty: 1,000."
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...inputProps('starts_per_second')}
      />
      <NumberInput
        label="Texts spoken at once"
        description="Of voices, in each worker. Empty: no limit."
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...inputProps('max_generations')}
      />
    </Group>
  );
}
