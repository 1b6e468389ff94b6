import { Grid, Stack } from '@mantine/core';
import type { AccountBody, AgentSummaryBody, CampaignBody, PhoneNumberBody } from '@outdial/contracts';
import { useState } from 'react';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import { DraftNotice } from '../../../../shared/drafts/draft-notice.tsx';
import { useDraft } from '../../../../shared/drafts/use-draft.ts';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import { RetryFields } from '../../../../shared/retry/retry-fields.tsx';
import { ContactFields } from '../contacts/contact-fields.tsx';
import { useContacts } from '../contacts/use-contacts.ts';
import { campaignDraftSchema, settingsOf, type CampaignDraft } from '../draft/campaign-draft.ts';
import { campaignErrors, refusedFields } from '../draft/campaign-errors.ts';
import type { ContactsDraft } from '../draft/contacts-draft.ts';
import { BudgetField } from './budget-field.tsx';
import { CampaignFormProvider, useCampaignForm } from './form-context.ts';
import { PaceFields } from './pace-fields.tsx';
import { SetupAside } from './setup-aside.tsx';
import { WhenFields } from './when-fields.tsx';
import { WhoFields } from './who-fields.tsx';

/** What was filled in: checked here, and still to be judged by the service. */
export interface FilledIn {
  readonly settings: ReturnType<typeof settingsOf>;
  readonly contacts: ContactsDraft;
  /** Null: a draft that exists keeps its contacts. */
  readonly file: File | null;
}

interface SetupFormProps {
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
  readonly account: AccountBody;
  /** The draft that is being changed. Null: it is new. */
  readonly campaign: CampaignBody | null;
  readonly start: CampaignDraft;
  readonly chosen: File | null;
  readonly onChoose: (file: File | null) => void;
  /** Saves it. @throws ApiError */
  readonly save: (filledIn: FilledIn) => Promise<void>;
}

const NO_VARIABLES: readonly string[] = [];

/** The settings of a campaign, and its first contacts if it is new. */
export function SetupForm({ agents, numbers, account, campaign, start, chosen, onChoose, save }: SetupFormProps) {
  const stored = useDraft(`campaign:${campaign?.id ?? 'new'}`, campaignDraftSchema);
  const [isFromDraft, setIsFromDraft] = useState(stored.saved !== null);
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  /** From the first try on every change is judged. */
  const [hasTried, setHasTried] = useState(false);
  const form = useCampaignForm({
    initialValues: stored.saved ?? start,
    validate: judge,
    onValuesChange: (values) => {
      stored.save(values);
      if (hasTried) form.setErrors(judge(values));
    },
  });
  const agent = agents.find(({ id }) => id === form.values.agent_id);
  const contacts = useContacts({
    draft: form.values.contacts,
    onChange: (changed) => form.setFieldValue('contacts', changed),
    chosen,
    variables: agent?.required_variables ?? NO_VARIABLES,
  });
  const contactErrors = campaign === null ? contacts.errors : {};
  const missing = hasTried ? contactErrors : {};

  async function send(values: CampaignDraft): Promise<void> {
    setIsSaving(true);
    setError(null);
    try {
      await save({
        settings: settingsOf(values),
        contacts: values.contacts,
        file: campaign === null ? contacts.file : null,
      });
      stored.clear();
    } catch (caught) {
      form.setErrors(refusedFields(caught));
      setError(caught);
    } finally {
      setIsSaving(false);
    }
  }

  const submit = form.onSubmit(
    (values) => {
      setHasTried(true);
      if (Object.keys(contactErrors).length > 0) return focusFirst();
      return void send(values);
    },
    () => {
      setHasTried(true);
      focusFirst();
    },
  );
  return (
    <CampaignFormProvider form={form}>
      <form onSubmit={submit} noValidate>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="lg">
              {isFromDraft && (
                <DraftNotice
                  onDiscard={() => {
                    form.setValues(start);
                    stored.clear();
                    setIsFromDraft(false);
                  }}
                />
              )}
              {error !== null && <ErrorNotice title="Could not save the campaign" error={error} />}
              <WhoFields agents={agents} numbers={numbers} />
              {campaign === null && (
                <FieldGroup
                  title="Whom to call"
                  description="Each number is called as one contact. You can add more contacts later, also while it runs."
                >
                  <ContactFields
                    contacts={contacts}
                    onChoose={onChoose}
                    errors={{ ...fieldsOf(form.errors, 'contacts.'), ...missing }}
                  />
                </FieldGroup>
              )}
              <WhenFields />
              <PaceFields />
              <FieldGroup
                title="Trying again"
                description="A contact who was not reached is called again, within the hours and before the end."
              >
                <RetryFields form={form} />
              </FieldGroup>
              <BudgetField currency={account.wallet.currency} available={account.wallet.available} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <SetupAside
              agents={agents}
              currency={account.wallet.currency}
              campaignId={campaign?.id ?? null}
              contacts={campaign?.progress.contacts ?? null}
              isSaving={isSaving}
              errorCount={Object.keys({ ...form.errors, ...missing }).length}
            />
          </Grid.Col>
        </Grid>
      </form>
    </CampaignFormProvider>
  );
}

/** By this moment's clock. */
const judge = (values: CampaignDraft): FieldErrors => campaignErrors(values, Date.now());

/** The errors below a prefix, without it. */
function fieldsOf(errors: Readonly<Record<string, unknown>>, prefix: string): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path.startsWith(prefix) && typeof text === 'string' ? [[path.slice(prefix.length), text]] : [],
    ),
  );
}

/** Leads the keyboard to the first field with an error, once it shows. */
function focusFirst(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus());
}
