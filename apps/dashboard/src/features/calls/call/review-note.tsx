import { Button, Group, Paper, Text, Textarea, Title } from '@mantine/core';
import { updateCallSchema, type CallBody } from '@outdial/contracts';
import { useState } from 'react';
import { z } from 'zod';
import { messageOf } from '../../../shared/components/error-notice.tsx';
import { notifyFailure } from '../../../shared/components/notify.tsx';
import { LeaveGuard } from '../../../shared/drafts/leave-guard.tsx';
import { useDraft } from '../../../shared/drafts/use-draft.ts';
import { useReviewNote, type CallKey } from '../queries/call-query.ts';

interface ReviewNoteProps {
  readonly id: CallKey;
  readonly call: CallBody;
}

/** A note on the call for all members of the account, edited in place. */
export function ReviewNote({ id, call }: ReviewNoteProps) {
  const stored = useDraft(`note:${id.callId}`, z.string());
  const [draft, setDraft] = useState<string | null>(stored.saved);
  const save = useReviewNote(id);
  const text = draft ?? call.review_note ?? '';
  const note = text.trim() === '' ? null : text;
  const isValid = updateCallSchema.safeParse({ review_note: note }).success;
  const isChanged = note !== call.review_note;

  function write(value: string): void {
    setDraft(value);
    stored.save(value);
  }

  function discard(): void {
    setDraft(null);
    stored.clear();
  }

  function submit(): void {
    if (!isValid) return;
    setDraft(null);
    if (!isChanged) return stored.clear();
    save.mutate(note, {
      onSuccess: stored.clear,
      onError: (error) => {
        // Restore the unsaved note, unless the user has typed something newer.
        setDraft((since) => since ?? text);
        notifyFailure('Could not save the note', messageOf(error));
      },
    });
  }

  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="note">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="note">
          Note
        </Title>
        <Text size="xs" c="dimmed" role="status">
          {save.isPending ? 'Saving…' : draft === null && save.isSuccess ? 'Saved' : ''}
        </Text>
      </Group>
      <Textarea
        aria-labelledby="note"
        placeholder="Add a note about this call"
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        error={isValid ? null : 'At most 4,000 characters'}
        onChange={({ currentTarget: { value } }) => write(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          if (event.key === 'Escape') discard();
        }}
      />
      <LeaveGuard isDirty={() => draft !== null && isChanged} onLeave={discard} />
      {draft !== null && isChanged && (
        <Group gap="xs" mt="sm">
          <Button size="xs" onClick={submit} disabled={!isValid}>
            Save
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={discard}>
            Discard
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Ctrl + Enter to save
          </Text>
        </Group>
      )}
    </Paper>
  );
}
