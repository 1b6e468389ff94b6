import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { CallingPolicyBody } from '@outdial/contracts';
import { LinkButton } from '../../shared/components/links.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { PolicyRules } from './policy-rules.tsx';
import { savedByWords } from './words/saved-words.ts';

interface VersionDialogProps {
  readonly dialog: DialogAbout<CallingPolicyBody>;
  readonly current: number;
}

/** What a version says, and the way back to it. */
export function VersionDialog({ dialog: { isOpen, subject, close }, current }: VersionDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={`Version ${subject?.version ?? ''}`} size="lg">
      {subject !== null && <Version policy={subject} current={current} onClose={close} />}
    </Modal>
  );
}

interface VersionProps {
  readonly policy: CallingPolicyBody;
  readonly current: number;
  readonly onClose: () => void;
}

function Version({ policy, current, onClose }: VersionProps) {
  const { account_id: accountId, isOwner } = useAccount();
  const { version, saved_at: savedAt } = policy;
  return (
    <Stack>
      {savedAt !== null && (
        <Text size="sm" c="dimmed">
          Saved by {savedByWords(policy)} on <DateTime at={savedAt} />.
        </Text>
      )}
      <PolicyRules settings={policy} label={`Open hours of version ${version}`} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {isOwner && version !== current && (
          <LinkButton
            to="/accounts/$accountId/calling-hours/edit"
            params={{ accountId }}
            search={{ version: String(version) }}
          >
            Use again
          </LinkButton>
        )}
      </Group>
    </Stack>
  );
}
