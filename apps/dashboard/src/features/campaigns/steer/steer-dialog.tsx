import { Button, Checkbox, Group, List, Modal, Stack } from '@mantine/core';
import '@mantine/core/styles/List.css';
import type { CampaignBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { agentsQuery } from '../../../shared/account/queries.ts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { formatDateTime } from '../../../shared/format/times.ts';
import type { DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { useSteer, type Verb } from '../queries.ts';
import { callsWord } from '../words/progress-words.ts';
import {
  cancelConsequences,
  pauseConsequences,
  resumeConsequences,
  startConsequences,
  type Consequences,
} from '../words/state-words.ts';

interface SteerDialogProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
  readonly dialog: DialogAbout<Verb>;
}

/** Shows what follows, and asks. */
export function SteerDialog({ id, campaign, dialog: { isOpen, subject: verb, close } }: SteerDialogProps) {
  const agents = useQuery(agentsQuery(id.accountId)).data;
  if (verb === null) return null;
  const agentName = agents?.find(({ id: agentId }) => agentId === campaign.agent_id)?.name;
  const words = consequencesOf(verb, campaign, agentName);
  return (
    <Modal opened={isOpen} onClose={close} title={words.title} centered>
      <Ask id={id} campaign={campaign} verb={verb} words={words} onDone={close} />
    </Modal>
  );
}

function consequencesOf(verb: Verb, campaign: CampaignBody, agentName: string | undefined): Consequences {
  switch (verb) {
    case 'start':
      return startConsequences(campaign, { agentName, time: formatDateTime });
    case 'pause':
      return pauseConsequences(campaign);
    case 'resume':
      return resumeConsequences(campaign, Date.now());
    case 'cancel':
      return cancelConsequences(campaign);
    default:
      return verb satisfies never;
  }
}

interface AskProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
  readonly verb: Verb;
  readonly words: Consequences;
  readonly onDone: () => void;
}

function Ask({ id, campaign, verb, words, onDone }: AskProps) {
  const steer = useSteer(id);
  const [hangUp, setHangUp] = useState(false);
  const { open } = campaign.progress;
  const confirm = () =>
    steer.mutate(
      { verb, hangUp },
      {
        onSuccess: () => {
          onDone();
          notifyDone(words.done);
        },
      },
    );
  return (
    <Stack>
      <List size="sm" spacing={6}>
        {words.sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {verb === 'cancel' && (
        <Checkbox
          label="Hang up open calls, too"
          description={
            open === 0
              ? 'None is open now.'
              : `${callsWord(open)} ${open === 1 ? 'is' : 'are'} open. Otherwise ${open === 1 ? 'it goes' : 'they go'} on to ${open === 1 ? 'its' : 'their'} end.`
          }
          checked={hangUp}
          onChange={({ currentTarget }) => setHangUp(currentTarget.checked)}
        />
      )}
      {steer.isError && <ErrorNotice title="Nothing was changed" error={steer.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {words.closeLabel}
        </Button>
        <Button {...(verb === 'cancel' ? { color: 'red' } : {})} onClick={confirm} loading={steer.isPending}>
          {words.confirmLabel}
        </Button>
      </Group>
    </Stack>
  );
}
