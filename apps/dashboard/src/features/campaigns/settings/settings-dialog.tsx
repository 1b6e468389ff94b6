import { Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updateCampaignSchema, type AgentSummaryBody, type CampaignBody } from '@outdial/contracts';
import { useState } from 'react';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf } from '../../../shared/forms/field-errors.ts';
import { useUpdateCampaign } from '../queries.ts';
import { FixedFields } from './fixed-fields.tsx';
import { MovableFields } from './movable-fields.tsx';
import {
  changedFields,
  maySet,
  settingsDraftOf,
  settingsErrors,
  settingsPath,
  type SettingsDraft,
} from './settings-draft.ts';

interface SettingsDialogProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
  readonly agents: readonly AgentSummaryBody[] | undefined;
  readonly currency: string | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SettingsDialog({ isOpen, onClose, ...about }: SettingsDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Edit settings" size="lg">
      <SettingsForm {...about} onDone={onClose} />
    </Modal>
  );
}

interface SettingsFormProps extends Omit<SettingsDialogProps, 'isOpen' | 'onClose'> {
  readonly onDone: () => void;
}

/** What the state allows to be changed. Only what the user changes is sent: another member may change the rest. */
function SettingsForm({ id, campaign, agents = [], currency, onDone }: SettingsFormProps) {
  const update = useUpdateCampaign(id);
  const [before] = useState(() => settingsDraftOf(campaign, new Intl.DateTimeFormat().resolvedOptions().timeZone));
  const form = useForm<SettingsDraft>({
    initialValues: before,
    validate: (values) => settingsErrors(values, before),
  });
  const submit = form.onSubmit((values) => {
    const changes = updateCampaignSchema.parse(changedFields(values, before));
    if (Object.keys(changes).length === 0) {
      onDone();
      return;
    }
    update.mutate(changes, {
      onSuccess: () => {
        onDone();
        notifyDone('Settings saved.');
      },
      onError: (error) =>
        form.setErrors(
          Object.fromEntries(
            Object.entries(fieldErrorsOf(error)).map(([path, message]) => [settingsPath(path), message]),
          ),
        ),
    });
  });
  const isFixed = !maySet(campaign.state, 'agent_id');
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {update.isError && <ErrorNotice title="Could not save the settings" error={update.error} />}
        <MovableFields form={form} currency={currency} />
        {isFixed ? (
          <Text size="sm" c="dimmed">
            Agent, number, retries and the rest can be changed while the campaign is paused.
          </Text>
        ) : (
          <FixedFields form={form} agents={agents} hasStarted={campaign.started_at !== null} />
        )}
        <DialogButtons label="Save settings" isPending={update.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
