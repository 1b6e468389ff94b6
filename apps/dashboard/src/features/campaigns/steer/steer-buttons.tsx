import { Button } from '@mantine/core';
import type { CampaignBody, CampaignState } from '@outdial/contracts';
import { IconBan, IconPlayerPause, IconPlayerPlay, type Icon } from '@tabler/icons-react';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import type { Verb } from '../queries.ts';
import { DeleteButton } from './delete-button.tsx';
import { SteerDialog } from './steer-dialog.tsx';

interface SteerButtonsProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
}

const VERBS: Readonly<Record<CampaignState, readonly Verb[]>> = {
  draft: ['start', 'cancel'],
  scheduled: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  cancelling: [],
  cancelled: [],
  completed: [],
};

/** The others are canceled first. */
const DELETABLE: readonly CampaignState[] = ['draft', 'cancelled', 'completed'];

const LOOKS: Readonly<Record<Verb, { readonly label: string; readonly icon: Icon }>> = {
  start: { label: 'Start', icon: IconPlayerPlay },
  pause: { label: 'Pause', icon: IconPlayerPause },
  resume: { label: 'Resume', icon: IconPlayerPlay },
  cancel: { label: 'Cancel campaign', icon: IconBan },
};

/** What can be done with the campaign in its state. Each asks first, and shows the consequences. */
export function SteerButtons({ id, campaign }: SteerButtonsProps) {
  const dialog = useDialogAbout<Verb>();
  return (
    <>
      {VERBS[campaign.state].map((verb) => {
        const { label, icon: VerbIcon } = LOOKS[verb];
        return (
          <Button
            key={verb}
            {...(verb === 'cancel' ? { color: 'red', variant: 'light' } : {})}
            {...(verb === 'pause' ? { variant: 'default' } : {})}
            leftSection={<VerbIcon size={17} aria-hidden />}
            onClick={() => dialog.open(verb)}
            disabled={verb === 'start' && campaign.progress.contacts === 0}
            title={verb === 'start' && campaign.progress.contacts === 0 ? 'Add contacts first' : undefined}
          >
            {label}
          </Button>
        );
      })}
      {DELETABLE.includes(campaign.state) && <DeleteButton id={id} campaign={campaign} />}
      <SteerDialog id={id} campaign={campaign} dialog={dialog} />
    </>
  );
}
