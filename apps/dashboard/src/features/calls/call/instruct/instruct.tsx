import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMessage2Bolt } from '@tabler/icons-react';
import { instructCallSchema, type CallBody } from '@outdial/contracts';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import { validateBy } from '../../../../shared/forms/field-errors.ts';
import type { CallKey } from '../../queries/call-query.ts';
import { useHasModel, useInstruct } from '../../queries/instruct.ts';

interface InstructProps {
  readonly id: CallKey;
  readonly call: CallBody;
}

/** Lets a member whisper to the model of a live call. Nothing for a scripted agent. */
export function Instruct({ id, call }: InstructProps) {
  const hasModel = useHasModel(id, call);
  const instruct = useInstruct(id);
  const form = useForm({ initialValues: { text: '' }, validate: validateBy(instructCallSchema) });
  if (!hasModel) return null;
  const submit = form.onSubmit(({ text }) => instruct.mutate(text, { onSuccess: () => form.reset() }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        {instruct.isError && <ErrorNotice title="The agent did not get it" error={instruct.error} />}
        <Textarea
          label="Instruct the agent"
          description="It follows the text from its next answer on. The callee does not hear it; the transcript keeps it."
          autosize
          minRows={1}
          maxRows={6}
          {...form.getInputProps('text')}
        />
        <Group gap="sm">
          <Button
            type="submit"
            variant="light"
            leftSection={<IconMessage2Bolt size={17} aria-hidden />}
            loading={instruct.isPending}
          >
            Instruct
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {instruct.isSuccess ? 'The agent has it.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
