import { Button, CopyButton, Stack, Text } from '@mantine/core';
import type { CheckResult, OperatedCredentialBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCheck, IconPlugOff, IconX, type Icon } from '@tabler/icons-react';
import { RelativeTime } from '../../../shared/components/time-text.tsx';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { CHECK_WORDS } from '../../../shared/words/check-words.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { BreakerState } from './breaker-state.tsx';
import { CredentialLines } from './credential-lines.tsx';
import { BREAKER_REASONS, commandsFor } from './provider-words.ts';

/** The operator's credentials: their keys, breakers and lines. */
export function OperatedCredentialTable({ credentials }: { readonly credentials: readonly OperatedCredentialBody[] }) {
  return (
    <StackedTable label="Credentials" columns={['Credential', 'Key', 'Breakers', 'Calls']}>
      {credentials.map((credential) => (
        <CredentialRow key={credential.id} credential={credential} />
      ))}
    </StackedTable>
  );
}

interface CredentialProps {
  readonly credential: OperatedCredentialBody;
}

function CredentialRow({ credential }: CredentialProps) {
  const { name, provider } = credential;
  const { check, rotate } = commandsFor(credential);
  return (
    <StackedRow
      cells={{
        Credential: (
          <Stack gap={0}>
            <Text size="sm" fw={550}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {PROVIDER_WORDS[provider]}
            </Text>
          </Stack>
        ),
        Key: <KeyState credential={credential} />,
        Breakers: <ModelBreakers credential={credential} />,
        Calls: <CredentialLines credential={credential} />,
      }}
      actions={
        <>
          <CopyCommand command={check} verb="check" name={name} />
          <CopyCommand command={rotate} verb="rotate" name={name} />
        </>
      }
    />
  );
}

const CHECK_ICONS: Readonly<Record<CheckResult, Icon>> = {
  ok: IconCheck,
  rejected: IconX,
  unreachable: IconPlugOff,
  no_such_model: IconAlertTriangle,
};

function KeyState({ credential: { check_result: result, checked_at: at, rotated_at: rotatedAt } }: CredentialProps) {
  const CheckIcon = result && CHECK_ICONS[result];
  return (
    <Stack gap={2} align="flex-start">
      {result !== null && CheckIcon !== null && (
        <ToneBadge tone={CHECK_WORDS[result].tone} icon={<CheckIcon size={14} stroke={1.8} aria-hidden />}>
          {CHECK_WORDS[result].label}
        </ToneBadge>
      )}
      <Text size="xs" c="dimmed">
        {at === null ? 'Never checked' : <Checked at={at} />}, set <RelativeTime at={rotatedAt} />
      </Text>
      {result !== null && result !== 'ok' && (
        <Text size="xs" c="dimmed">
          {CHECK_WORDS[result].meaning}
        </Text>
      )}
    </Stack>
  );
}

function Checked({ at }: { readonly at: string }) {
  return (
    <>
      Checked <RelativeTime at={at} />
    </>
  );
}

function ModelBreakers({ credential: { breakers } }: CredentialProps) {
  if (breakers === null || breakers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {breakers === null ? 'Unknown' : 'All closed'}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {breakers.map((breaker) => (
        <Stack key={`${breaker.component} ${breaker.model}`} gap={2}>
          <Text size="sm">
            {breaker.model}, {COMPONENT_WORDS[breaker.component].toLowerCase()}
          </Text>
          <BreakerState breaker={breaker} reason={BREAKER_REASONS.all} />
        </Stack>
      ))}
    </Stack>
  );
}

interface CopyCommandProps {
  readonly command: string;
  readonly verb: 'check' | 'rotate';
  readonly name: string;
}

function CopyCommand({ command, verb, name }: CopyCommandProps) {
  return (
    <CopyButton value={command} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          title={command}
          aria-label={`Copy ${verb} command: ${name}`}
          {...(copied ? { leftSection: <IconCheck size={14} aria-hidden /> } : {})}
          onClick={copy}
        >
          Copy {verb} command
        </Button>
      )}
    </CopyButton>
  );
}
