import { Group, Stack, Text } from '@mantine/core';
import type { OperatedCredentialBody, OperatedLineBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { formatClockTime } from '../../../shared/format/times.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';
import { lineWords } from './provider-words.ts';

/** How many calls use what the credential's models do, of how many. */
export function CredentialLines({ credential }: { readonly credential: OperatedCredentialBody }) {
  return (
    <Stack gap="xs">
      {credential.lines.map((line) => (
        <CredentialLine key={line.component} line={line} credential={credential} />
      ))}
      {credential.limits_group !== null && (
        <Text size="xs" c="dimmed">
          Shared by the group {credential.limits_group}
        </Text>
      )}
    </Stack>
  );
}

interface CredentialLineProps {
  readonly line: OperatedLineBody;
  readonly credential: OperatedCredentialBody;
}

function CredentialLine({ line, credential }: CredentialLineProps) {
  const { use, state } = lineWords(line, credential);
  return (
    <Stack gap={0} align="flex-start">
      <Group gap="xs">
        <Text size="sm" className="tabular">
          {use}
        </Text>
        {state !== null && (
          <ToneBadge tone={state.tone} icon={<IconAlertTriangle size={14} stroke={1.8} aria-hidden />}>
            {state.label}
          </ToneBadge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {COMPONENT_WORDS[line.component]}, {formatCount(line.starts_per_second)} starts per second
      </Text>
      {line.lowered.map(({ model, max_calls: most, until }) => (
        <Text key={model} size="xs" c="dimmed">
          {model} gets at most {formatCount(most)} until {formatClockTime(until)}
        </Text>
      ))}
    </Stack>
  );
}
