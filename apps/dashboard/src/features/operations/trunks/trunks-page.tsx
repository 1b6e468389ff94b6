import { Button } from '@mantine/core';
import { IconPlus, IconRouteAltLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { trunksQuery } from './queries.ts';
import { TrunkDialog, type TrunkSubject } from './trunk-dialog.tsx';
import { OperatedTrunkTable } from './trunk-table.tsx';

const TITLE = 'Trunks';

export function TrunksPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Trunks />
    </OperatorsArea>
  );
}

function Trunks() {
  const trunks = useQuery(trunksQuery);
  const dialog = useDialogAbout<TrunkSubject>();
  return (
    <Page
      title={TITLE}
      description="SIP connections to your carriers. Changes apply within a second; calls in progress continue."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open('new')}>
          Add trunk
        </Button>
      }
    >
      <Loaded query={trunks} what="trunks" skeleton={<TableSkeleton />}>
        {(data) => (
          <>
            {data.trunks.length === 0 ? (
              <EmptyState icon={IconRouteAltLeft} title="No trunks yet">
                Add your carrier’s SIP address and its call limits. Workers with OUTDIAL_CARRIER=sip use it within a
                second.
              </EmptyState>
            ) : (
              <OperatedTrunkTable trunks={data.trunks} onEdit={dialog.open} />
            )}
            <TrunkDialog dialog={dialog} canSetPasswords={data.can_set_passwords} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
