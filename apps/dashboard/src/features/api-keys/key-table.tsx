import { Button, Code, Table, Text } from '@mantine/core';
import type { ApiKeyBody } from '@outdial/contracts';
import { IconBan, IconCheck, IconClockOff, type Icon } from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { DateTime, RelativeTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { useNow } from '../../shared/hooks/use-now.ts';
import type { Tone } from '../../shared/words/tone.ts';
import { stateOf, type KeyState } from './key-state.ts';

interface KeyTableProps {
  readonly keys: readonly ApiKeyBody[];
  readonly onRevoke: (key: ApiKeyBody) => void;
}

export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const nowMs = useNow();
  return (
    <DataTable
      label="API keys"
      columns={['Name', 'Key', 'Status', 'Created', 'Last used', 'Expires', '']}
      minWidth={860}
    >
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} state={stateOf(key, nowMs)} onRevoke={onRevoke} />
      ))}
    </DataTable>
  );
}

interface KeyRowProps {
  readonly apiKey: ApiKeyBody;
  readonly state: KeyState;
  readonly onRevoke: (key: ApiKeyBody) => void;
}

function KeyRow({ apiKey, state, onRevoke }: KeyRowProps) {
  return (
    <Table.Tr>
      <Table.Td fw={550}>{apiKey.name}</Table.Td>
      <Table.Td>
        <Code>{apiKey.shown_prefix}…</Code>
      </Table.Td>
      <Table.Td>
        <KeyStateBadge state={state} />
      </Table.Td>
      <Table.Td>
        <DateTime at={apiKey.created_at} />
      </Table.Td>
      <Table.Td>{apiKey.last_used_at === null ? <Never /> : <RelativeTime at={apiKey.last_used_at} />}</Table.Td>
      <Table.Td>{apiKey.expires_at === null ? <Never /> : <DateTime at={apiKey.expires_at} />}</Table.Td>
      <Table.Td ta="right">
        {state === 'active' && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => onRevoke(apiKey)}>
            Revoke
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const STATE_WORDS = {
  active: { label: 'Active', tone: 'good', icon: IconCheck },
  expired: { label: 'Expired', tone: 'warning', icon: IconClockOff },
  revoked: { label: 'Revoked', tone: 'neutral', icon: IconBan },
} as const satisfies Record<KeyState, { label: string; tone: Tone; icon: Icon }>;

function KeyStateBadge({ state }: { readonly state: KeyState }) {
  const { label, tone, icon: StateIcon } = STATE_WORDS[state];
  return (
    <ToneBadge tone={tone} icon={<StateIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}

function Never() {
  return (
    <Text span c="dimmed" size="sm">
      Never
    </Text>
  );
}
