import { Button, Group, Stack } from '@mantine/core';
import type { CampaignBody } from '@outdial/contracts';
import { useState } from 'react';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import { ContactFields } from '../contacts/contact-fields.tsx';
import { useContacts } from '../contacts/use-contacts.ts';
import { refusedFields } from '../draft/campaign-errors.ts';
import { columnsOf, type ContactsDraft } from '../draft/contacts-draft.ts';
import { useUpdateCampaign } from '../queries.ts';

interface AddContactsProps {
  readonly accountId: string;
  readonly campaign: CampaignBody;
  /** What the fields begin with. */
  readonly start: ContactsDraft;
  readonly chosen: File | null;
  readonly onChoose: (file: File | null) => void;
  readonly variables: readonly string[];
  readonly onSend: (file: File) => void;
  /** Absent: the campaign has no contacts yet. */
  readonly onCancel?: (() => void) | undefined;
}

/** Contacts for a draft that exists. Its columns become those that are chosen here. */
export function AddContacts(props: AddContactsProps) {
  const { accountId, campaign, start, chosen, onChoose, variables, onSend, onCancel } = props;
  const [draft, setDraft] = useState(start);
  const [refused, setRefused] = useState<FieldErrors>({});
  const [hasTried, setHasTried] = useState(false);
  const contacts = useContacts({ draft, onChange: setDraft, chosen, variables });
  const update = useUpdateCampaign(accountId);

  function send(): void {
    setHasTried(true);
    const { file, errors } = contacts;
    if (file === null || Object.keys(errors).length > 0) return;
    const change = {
      columns: columnsOf(draft),
      default_country: draft.default_country === '' ? null : draft.default_country,
    };
    setRefused({});
    update.mutate(
      { campaignId: campaign.id, change },
      { onSuccess: () => onSend(file), onError: (error) => setRefused(contactFields(error)) },
    );
  }

  return (
    <Stack>
      {update.isError && <ErrorNotice title="Could not save which column is what" error={update.error} />}
      <ContactFields
        contacts={contacts}
        onChoose={onChoose}
        errors={{ ...refused, ...(hasTried ? contacts.errors : {}) }}
      />
      <Group>
        <Button onClick={send} loading={update.isPending}>
          Add contacts
        </Button>
        {onCancel !== undefined && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** The service names the fields of the campaign. */
function contactFields(error: unknown): FieldErrors {
  return Object.fromEntries(
    Object.entries(refusedFields(error)).map(([path, text]) => [path.replace(/^contacts\./, ''), text]),
  );
}
