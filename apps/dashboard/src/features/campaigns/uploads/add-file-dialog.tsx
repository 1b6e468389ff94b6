import { Button, Checkbox, FileInput, Modal, Stack, Text } from '@mantine/core';
import { CAMPAIGN_LIMITS, type CampaignBody } from '@outdial/contracts';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { z } from 'zod';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { errorsHref, useSendFile } from '../queries.ts';
import { columnSentences } from '../words/column-words.ts';
import { UploadReport } from './upload-report.tsx';

interface AddFileDialogProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for a file, then reports what became of its lines. */
export function AddFileDialog({ id, campaign, isOpen, onClose }: AddFileDialogProps) {
  const send = useSendFile(id);
  const close = () => {
    onClose();
    send.reset();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={send.data === undefined ? 'Add a file' : 'File received'}
      size="lg"
      closeOnClickOutside={!send.isPending}
      closeOnEscape={!send.isPending}
    >
      {send.data === undefined ? (
        <FileForm id={id} campaign={campaign} send={send} onCancel={close} />
      ) : (
        <UploadReport id={id} upload={send.data.upload} onDone={close} />
      )}
    </Modal>
  );
}

interface FileFormProps extends Pick<AddFileDialogProps, 'id' | 'campaign'> {
  readonly send: ReturnType<typeof useSendFile>;
  readonly onCancel: () => void;
}

const MAX_MEBIBYTES = CAMPAIGN_LIMITS.fileBytes / 1_048_576;
const NO_FILE = 'Choose a file';

function FileForm({ id, campaign, send, onCancel }: FileFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const [isStrict, setStrict] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null) setProblem(NO_FILE);
    else if (file.size > CAMPAIGN_LIMITS.fileBytes) setProblem(`Must be at most ${MAX_MEBIBYTES} MiB: split the file`);
    else send.mutate({ file, onInvalid: isStrict ? 'refuse' : 'skip' });
  };
  const refused = send.isError ? refusedUpload(send.error) : null;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {send.isError && <ErrorNotice title="Could not add the file" error={send.error} />}
        {refused !== null && (
          <Button
            component="a"
            href={errorsHref(id, refused)}
            download
            variant="default"
            w="fit-content"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download all errors
          </Button>
        )}
        <Text size="sm">{columnSentences(campaign).join(' ')}</Text>
        <FileInput
          label="File"
          placeholder="Choose a CSV file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          leftSection={<IconUpload size={16} aria-hidden />}
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setProblem(null);
          }}
          error={problem}
        />
        <Checkbox
          label="Add nothing if a line is wrong"
          description="Otherwise such lines are reported, and the others added."
          checked={isStrict}
          onChange={({ currentTarget }) => setStrict(currentTarget.checked)}
        />
        <DialogButtons label="Add file" isPending={send.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const refusedSchema = z.object({ upload: z.int() });

/** The upload that names the lines for which nothing was added. Null: it failed for another reason. */
function refusedUpload(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'lines_refused') return null;
  return refusedSchema.safeParse(error.details).data?.upload ?? null;
}
