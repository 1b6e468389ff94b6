import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AgentSummaryBody, CampaignBody, CampaignUploadBody } from '@outdial/contracts';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { uploadsQuery } from '../queries.ts';
import { uploadName, uploadSentences } from '../words/upload-words.ts';
import { AddFileDialog } from './add-file-dialog.tsx';
import { AddNumbersDialog } from './add-numbers-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';

interface UploadSectionProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
  /** Undefined: not loaded yet, or not the account's any more. */
  readonly agent: AgentSummaryBody | undefined;
}

/** What was added to the campaign, with the report of each upload, and the ways to add more. */
export function UploadSection({ id, campaign, agent }: UploadSectionProps) {
  const uploads = useInfiniteQuery(uploadsQuery(id));
  const [isSending, sending] = useDisclosure(false);
  const [isAdding, adding] = useDisclosure(false);
  const reporting = useDialogAbout<number>();
  const canAdd = ['draft', 'scheduled', 'running', 'paused'].includes(campaign.state);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="uploads">
      <Stack gap="md">
        <Title order={2} size="h4" id="uploads">
          Uploads
        </Title>
        {canAdd && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileImport size={15} aria-hidden />}
              onClick={sending.open}
            >
              Add a file
            </Button>
            <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={adding.open}>
              Add numbers
            </Button>
          </Group>
        )}
        <Loaded query={uploads} what="uploads" skeleton={<TableSkeleton rows={2} />}>
          {({ pages }) => {
            const list = pages.flatMap((page) => page.uploads);
            return list.length === 0 ? (
              <Text size="sm" c="dimmed">
                Nothing was added yet.
              </Text>
            ) : (
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Uploads">
                {list.map((upload) => (
                  <Upload key={upload.number} upload={upload} onReport={() => reporting.open(upload.number)} />
                ))}
              </Stack>
            );
          }}
        </Loaded>
        {uploads.hasNextPage && (
          <Button
            size="xs"
            variant="default"
            loading={uploads.isFetchingNextPage}
            onClick={() => void uploads.fetchNextPage()}
          >
            Load more uploads
          </Button>
        )}
      </Stack>
      <AddFileDialog id={id} campaign={campaign} isOpen={isSending} onClose={sending.close} />
      <AddNumbersDialog id={id} agent={agent} isOpen={isAdding} onClose={adding.close} />
      <ReportDialog id={id} dialog={reporting} />
    </Paper>
  );
}

interface UploadProps {
  readonly upload: CampaignUploadBody;
  readonly onReport: () => void;
}

function Upload({ upload, onReport }: UploadProps) {
  const { started_at: at, invalid, error } = upload;
  const name = uploadName(upload);
  return (
    <li>
      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text size="sm">
        {uploadSentences(upload).join(' ')}
        {error !== null && ` ${error}`}
      </Text>
      <Group gap="sm">
        <Text size="xs" c="dimmed">
          <DateTime at={at} />
        </Text>
        {invalid > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={onReport} aria-label={`View report of ${name}`}>
            View report
          </Button>
        )}
      </Group>
    </li>
  );
}
