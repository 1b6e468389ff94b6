import { Button, Collapse, Group, NumberInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { CALL_LIMITS } from '@outdial/contracts';
import type { UseFormReturnType } from '@mantine/form';
import type { PlacementValues } from '../model/placement-form.ts';

const { maxDurationSeconds, ringTimeoutSeconds } = CALL_LIMITS;

/** How long the call may ring and talk: most people need neither. */
export function Limits({ form }: { readonly form: UseFormReturnType<PlacementValues> }) {
  const isFaulty = 'max_duration_seconds' in form.errors || 'ring_timeout_seconds' in form.errors;
  const [isOpen, { toggle }] = useDisclosure(false);
  const isShown = isOpen || isFaulty;
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
            label="May ring for"
            description={`Seconds, ${ringTimeoutSeconds.min} to ${ringTimeoutSeconds.max}`}
            placeholder={String(ringTimeoutSeconds.default)}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('ring_timeout_seconds')}
          />
          <NumberInput
            label="May talk for"
            description={`Seconds, ${maxDurationSeconds.min} to ${maxDurationSeconds.max}`}
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
