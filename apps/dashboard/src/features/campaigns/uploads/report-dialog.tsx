import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import type { DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { uploadQuery } from '../queries.ts';
import { UploadReport } from './upload-report.tsx';

interface ReportDialogProps {
  readonly id: CampaignKey;
  /** About the number of an upload. */
  readonly dialog: DialogAbout<number>;
}

export function ReportDialog({ id, dialog: { isOpen, subject: number, close } }: ReportDialogProps) {
  const upload = useQuery(uploadQuery(id, number));
  return (
    <Modal opened={isOpen} onClose={close} title={`Report of upload ${number ?? ''}`} size="lg">
      <Loaded query={upload} what="the report" skeleton={<PanelSkeleton lines={3} />}>
        {(found) => <UploadReport id={id} upload={found} onDone={close} />}
      </Loaded>
    </Modal>
  );
}
