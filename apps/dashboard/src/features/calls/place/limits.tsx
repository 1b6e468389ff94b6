import { Button, Collapse, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { UseFormReturnType } from '@mantine/form';
import { CallLimitFields } from '../../../shared/forms/call-limit-fields.tsx';
import { ZoneField } from '../../../shared/forms/zone-field.tsx';
import type { PlacementValues } from '../model/placement-form.ts';

const FIELDS = ['max_duration_seconds', 'ring_timeout_seconds', 'callee_time_zone'];

/** Ring timeout, max duration and the callee's time zone, collapsed because most calls use the defaults. */
export function Limits({ form }: { readonly form: UseFormReturnType<PlacementValues> }) {
  const hasError = FIELDS.some((field) => field in form.errors);
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
        Limits and time zone
      </Button>
      <Collapse expanded={isShown} id="limits">
        <Group grow align="flex-start" mt="xs">
          <CallLimitFields inputProps={(name) => form.getInputProps(name)} />
        </Group>
        <ZoneField
          label="Callee’s time zone"
          description="If you know better than the number where the callee is. The calling hours are by their clock."
          mt="md"
          {...form.getInputProps('callee_time_zone')}
        />
      </Collapse>
    </div>
  );
}
