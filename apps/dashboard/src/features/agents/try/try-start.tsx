import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { requiredVariables, type AgentBody, type CreateTryBody, type TryMedium } from '@outdial/contracts';
import { IconMicrophone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { versionQuery } from '../queries.ts';

interface TryStartProps {
  readonly accountId: string;
  readonly agent: AgentBody;
  /** Called in the click. */
  readonly onStart: (body: CreateTryBody & { readonly medium: TryMedium }) => void;
  /** What is being begun. */
  readonly pending: TryMedium | null;
  readonly error: Error | null;
}

/** Which version is tried, and with which variables. */
export function TryStart({ accountId, agent, onStart, pending, error }: TryStartProps) {
  const [chosen, setChosen] = useState(agent.version);
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const version = useQuery(versionQuery(accountId, agent.id, chosen));
  const settings = version.data?.settings ?? (chosen === agent.version ? agent.settings : null);
  const names = settings === null ? [] : requiredVariables(settings);
  const begin = (medium: TryMedium) =>
    onStart({
      medium,
      version: chosen,
      variables: Object.fromEntries(names.map((name) => [name, variables[name] ?? ''])),
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (pending === null) begin('text');
      }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="Version to try"
          value={String(chosen)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
          data={Array.from({ length: agent.version }, (_, index) => String(agent.version - index))}
          maw={160}
        />
        {names.map((name) => (
          <TextInput
            key={name}
            label={`Value of ${name}`}
            value={variables[name] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setVariables((before) => ({ ...before, [name]: value }));
            }}
            maw={420}
          />
        ))}
        {error !== null && <ErrorNotice title="The try did not begin" error={error} />}
        <Group>
          <Button type="submit" loading={pending === 'text'} disabled={settings === null || pending !== null}>
            Start conversation
          </Button>
          <Button
            variant="default"
            leftSection={<IconMicrophone size={17} aria-hidden />}
            onClick={() => begin('microphone')}
            loading={pending === 'microphone'}
            disabled={settings === null || pending !== null}
          >
            Try by microphone
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
