import { Button, Collapse, Group, NumberInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { CALL_LIMITS } from '@outdial/contracts';
import type { UseFormReturnType } from '@mantine/form';
import { formatCount } from '../../../shared/format/numbers.ts';
import type { PlacementValues } from '../model/placement-form.ts';

const { maxDurationSeconds, ringTimeoutSeconds } = CALL_LIMITS;

/** Ring timeout and max duration, collapsed because most calls use the defaults. */
export function Limits({ form }: { readonly form: UseFormReturnType<PlacementValues> }) {
  const hasError = 'max_duration_seconds' in form.errors || 'ring_timeout_seconds' in form.errors;
  const [isOpen, { toggle }] = useDisclosure(false);
  const isShown = isOpen || hasError;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={isShown ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        aria-expanded={isShown}
        aria-controls="limits"
        onClick={toggle}
      >
        Limits
      </Button>
      <Collapse expanded={isShown} id="limits">
        <Group grow align="flex-start" mt="xs">
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
            thousandSeparator=","
            {...form.getInputProps('max_duration_seconds')}
          />
        </Group>
      </Collapse>
    </div>
  );
}
