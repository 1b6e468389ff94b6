import { Group, Stack, Switch, Text } from '@mantine/core';
import type { ApiKeyBody } from '@outdial/contracts';
import { useState } from 'react';
import { useNow } from '../../shared/hooks/use-now.ts';
import { stateOf } from './key-state.ts';
import { KeyTable } from './key-table.tsx';

interface KeyListProps {
  readonly keys: readonly ApiKeyBody[];
  readonly onRevoke: (key: ApiKeyBody) => void;
}

/** Active keys. The service lists revoked keys for 30 more days; a switch shows them. */
export function KeyList({ keys, onRevoke }: KeyListProps) {
  const nowMs = useNow();
  const [showsAll, setShowsAll] = useState(false);
  const active = keys.filter((key) => stateOf(key, nowMs) === 'active');
  const others = keys.length - active.length;
  const shown = showsAll ? keys : active;
  return (
    <Stack gap="sm">
      {others > 0 && (
        <Group justify="flex-end">
          <Switch
            label={`Show revoked and expired keys (${others})`}
            checked={showsAll}
            onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
          />
        </Group>
      )}
      {shown.length > 0 ? (
        <KeyTable keys={shown} onRevoke={onRevoke} />
      ) : (
        <Text size="sm" c="dimmed">
          No active API keys. Create one to place calls through the API.
        </Text>
      )}
    </Stack>
  );
}
