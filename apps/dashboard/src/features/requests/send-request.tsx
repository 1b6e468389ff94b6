import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createRequestSchema, MAX_REQUEST_LENGTH, type accountRequestListSchema } from '@outdial/contracts';
import { z } from 'zod';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { useDraft } from '../../shared/drafts/use-draft.ts';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { useSendRequest } from './queries.ts';

interface SendRequestProps {
  readonly accountId: string;
  readonly list: z.output<typeof accountRequestListSchema>;
}

export function SendRequest({ accountId, list }: SendRequestProps) {
  const send = useSendRequest(accountId);
  const draft = useDraft('request', z.string());
  const form = useForm({
    mode: 'controlled',
    initialValues: { text: draft.saved ?? '' },
    onValuesChange: ({ text }) => draft.save(text),
    validate: validateBy(createRequestSchema),
  });
  const openCount = list.requests.filter(({ done_at: doneAt }) => doneAt === null).length;
  const isFull = openCount >= list.max_open;
  const submit = form.onSubmit(({ text }) =>
    send.mutate(text, {
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
      onSuccess: () => {
        form.setValues({ text: '' });
        draft.clear();
        notifyDone('Request sent.');
      },
    }),
  );
  return (
    <Paper withBorder p="lg" radius="lg" component="form" onSubmit={submit} noValidate>
      <Stack>
        {send.isError && <ErrorNotice title="Could not send the request" error={send.error} />}
        <Textarea
          label="New request"
          placeholder="We need a number with the prefix +1 202 and a top-up of 100 USD."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={MAX_REQUEST_LENGTH}
          disabled={isFull}
          {...form.getInputProps('text')}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {isFull
              ? `You have reached the limit of ${list.max_open} open requests. Wait until an operator completes one.`
              : `${openCount} of ${list.max_open} open requests`}
          </Text>
          <Button type="submit" disabled={isFull} loading={send.isPending}>
            Send request
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
