import { NumberInput, type NumberInputProps } from '@mantine/core';
import { CALL_LIMITS } from '@outdial/contracts';
import { formatCount } from '../format/numbers.ts';

const { maxDurationSeconds, ringTimeoutSeconds } = CALL_LIMITS;

interface CallLimitFieldsProps {
  readonly inputProps: (name: 'ring_timeout_seconds' | 'max_duration_seconds') => NumberInputProps;
}

/** How long a call rings and lasts at most. Empty: the default, which the fields show. */
export function CallLimitFields({ inputProps }: CallLimitFieldsProps) {
  return (
    <>
      <NumberInput
        label="Ring timeout"
        description={`${ringTimeoutSeconds.min}–${formatCount(ringTimeoutSeconds.max)} seconds`}
        placeholder={String(ringTimeoutSeconds.default)}
        allowDecimal={false}
        allowNegative={false}
        {...inputProps('ring_timeout_seconds')}
      />
      <NumberInput
        label="Max duration"
        description={`${maxDurationSeconds.min}–${formatCount(maxDurationSeconds.max)} seconds`}
        placeholder={String(maxDurationSeconds.default)}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...inputProps('max_duration_seconds')}
      />
    </>
  );
}
