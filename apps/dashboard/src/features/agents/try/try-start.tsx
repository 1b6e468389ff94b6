import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { requiredVariables, type AgentBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { versionQuery } from '../queries.ts';
import type { useTry } from './use-try.ts';

interface TryStartProps {
  readonly accountId: string;
  readonly agent: AgentBody;
  readonly start: ReturnType<typeof useTry>['start'];
}

/** Which version is tried, and with which variables. */
export function TryStart({ accountId, agent, start }: TryStartProps) {
  const [chosen, setChosen] = useState(agent.version);
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const version = useQuery(versionQuery(accountId, agent.id, chosen));
  const settings = version.data?.settings ?? (chosen === agent.version ? agent.settings : null);
  const names = settings === null ? [] : requiredVariables(settings);
  const begin = () =>
    start.mutate({
      version: chosen,
      variables: Object.fromEntries(names.map((name) => [name, variables[name] ?? ''])),
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        begin();
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
        {start.error !== null && <ErrorNotice title="The try did not begin" error={start.error} />}
        <Group>
          <Button type="submit" loading={start.isPending} disabled={settings === null}>
            Start conversation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
