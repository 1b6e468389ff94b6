import { Alert, Button, Stack, Text } from '@mantine/core';
import type { AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { IconPlayerStop, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { formatCount } from '../../../../shared/format/numbers.ts';
import { UploadReport, type UploadWithErrors } from '../../uploads/upload-report.tsx';
import type { ContactsDraft } from '../draft/contacts-draft.ts';
import { AddContacts } from './add-contacts.tsx';
import { UploadProgress } from './upload-progress.tsx';
import type { Upload } from './use-upload.ts';

interface ContactsPanelProps {
  readonly accountId: string;
  readonly campaign: CampaignBody;
  readonly agent: AgentSummaryBody | undefined;
  readonly upload: Upload;
  /** Of the last file. Undefined: none was sent, or it is still being loaded. */
  readonly report: UploadWithErrors | undefined;
  /** What was chosen last. */
  readonly contacts: ContactsDraft;
  readonly chosen: File | null;
  readonly onChoose: (file: File | null) => void;
}

const NO_VARIABLES: readonly string[] = [];

/** The contacts of a draft: a file on its way, what became of the last one, and another one. */
export function ContactsPanel(props: ContactsPanelProps) {
  const { accountId, campaign, agent, upload, report, contacts, chosen, onChoose } = props;
  const [isAdding, setIsAdding] = useState(false);
  const { state } = upload;
  const count = campaign.progress.contacts;
  const isShown = isAdding || count === 0 || state.kind === 'failed' || state.kind === 'stopped';
  return (
    <FieldGroup title="Contacts" description={countWords(count)}>
      {state.kind === 'sending' && <UploadProgress file={state.file} sent={state.sent} onStop={upload.stop} />}
      {state.kind === 'failed' && <ErrorNotice title={`Nothing of ${state.file.name} was added`} error={state.error} />}
      {state.kind === 'stopped' && (
        <Alert color="blue" variant="light" role="status" icon={<IconPlayerStop aria-hidden />}>
          <Text size="sm">The upload was stopped, and nothing of {state.file.name} was added.</Text>
        </Alert>
      )}
      {state.kind !== 'sending' && report !== undefined && (
        <UploadReport id={{ accountId, campaignId: campaign.id }} upload={report} />
      )}
      {state.kind !== 'sending' &&
        (isShown ? (
          <AddContacts
            accountId={accountId}
            campaign={campaign}
            start={contacts}
            chosen={chosen}
            onChoose={onChoose}
            variables={agent?.required_variables ?? NO_VARIABLES}
            onSend={(file) => {
              setIsAdding(false);
              void upload.start(campaign.id, file);
            }}
            onCancel={count === 0 ? undefined : () => setIsAdding(false)}
          />
        ) : (
          <Stack align="flex-start">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => {
                onChoose(null);
                setIsAdding(true);
              }}
            >
              Add more contacts
            </Button>
          </Stack>
        ))}
    </FieldGroup>
  );
}

function countWords(count: number): string {
  if (count === 0) return 'The campaign has no contacts yet.';
  return count === 1 ? 'The campaign has 1 contact.' : `The campaign has ${formatCount(count)} contacts.`;
}
