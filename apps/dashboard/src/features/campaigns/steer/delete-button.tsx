import { Button, Group, List, Modal, Stack } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { useDisclosure } from '@mantine/hooks';
import type { CampaignBody } from '@outdial/contracts';
import { IconTrash } from '@tabler/icons-react';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { deleteConsequences } from '../words/state-words.ts';
import { useDeleteCampaign } from './use-delete-campaign.ts';

interface DeleteButtonProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
}

/** Of a draft, or of a campaign that is over. It asks first, and shows what goes and what stays. */
export function DeleteButton({ id, campaign }: DeleteButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const words = deleteConsequences(campaign);
  const removal = useDeleteCampaign(id, words.done);
  return (
    <>
      <Button color="red" variant="subtle" leftSection={<IconTrash size={17} aria-hidden />} onClick={open}>
        Delete
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.title} centered>
        <Stack>
          <List size="sm" spacing={6}>
            {words.sentences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          {removal.isError && <ErrorNotice title="Nothing was deleted" error={removal.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.closeLabel}
            </Button>
            <Button color="red" onClick={() => removal.mutate()} loading={removal.isPending}>
              {words.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
