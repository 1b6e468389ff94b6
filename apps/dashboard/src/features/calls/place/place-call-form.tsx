import { Button, Checkbox, Grid, Paper, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import type { AgentSummaryBody, PhoneNumberBody, ServiceBody } from '@outdial/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.ts';
import { DraftNotice } from '../../../shared/drafts/draft-notice.tsx';
import { useDraft } from '../../../shared/drafts/use-draft.ts';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/times.ts';
import { nextPlacement, type Placement } from '../model/idempotency.ts';
import { useHasHours } from '../../../shared/account/has-hours.ts';
import { placementValuesSchema, readPlacement, variableNames, type PlacementValues } from '../model/placement-form.ts';
import { placementErrorOf, placementFieldErrors } from '../model/placement-error.ts';
import { usePlaceCall } from '../queries/place-call.ts';
import { CallPreview } from './call-preview.tsx';
import { CalleeTime } from './callee-time.tsx';
import { Limits } from './limits.tsx';
import { NumberField } from './number-field.tsx';
import { NumberVerdict } from './number-verdict.tsx';
import { AgentField, FromField } from '../../../shared/forms/choice-fields.tsx';
import { PlacementErrorNotice } from './placement-error-notice.tsx';
import { PlacementSummary } from './placement-summary.tsx';
import { RetryFields } from '../../../shared/retry/retry-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { Variables } from './variables.tsx';
import classes from './place.module.css';

interface PlaceCallFormProps {
  readonly accountId: string;
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
  readonly testNumbers: ServiceBody['test_numbers'];
  readonly start: PlacementValues;
  /** The draft's name: one for each set of initial values. */
  readonly draftName: string;
}

export function PlaceCallForm({ accountId, agents, numbers, testNumbers, start, draftName }: PlaceCallFormProps) {
  const agentOf = ({ agent_id: agentId }: PlacementValues) => agents.find(({ id }) => id === agentId);
  const draft = useDraft(draftName, placementValuesSchema);
  const [isFromDraft, setIsFromDraft] = useState(draft.saved !== null);
  const form = useForm<PlacementValues>({
    initialValues: draft.saved ?? start,
    onValuesChange: draft.save,
    validate: (values) => readPlacement(values, agentOf(values), Date.now()).errors ?? {},
    validateInputOnBlur: true,
  });
  const hasHours = useHasHours(accountId);
  const navigate = useNavigate();
  const last = useRef<Placement | null>(null);
  const place = usePlaceCall(accountId, ({ id }) => {
    last.current = null;
    draft.clear();
    void navigate({ to: '/accounts/$accountId/calls/$callId', params: { accountId, callId: id } });
  });

  function submit(values: PlacementValues): void {
    const { body } = readPlacement(values, agentOf(values), Date.now());
    if (body === null) return;
    last.current = nextPlacement(last.current, body, () => crypto.randomUUID());
    send(last.current);
  }

  function send(placement: Placement): void {
    place.mutate(placement, { onError: (error) => form.setErrors(placementFieldErrors(error)) });
  }

  const placementError =
    place.error instanceof ApiError
      ? placementErrorOf(place.error, { money: formatMoney, time: formatDateTime })
      : null;
  const agent = agentOf(form.values);
  const isUnknown = placementError?.remedy.kind === 'retry_safely';
  return (
    <Grid gap="lg">
      {isFromDraft && (
        <Grid.Col span={12}>
          <DraftNotice
            onDiscard={() => {
              form.setValues(start);
              draft.clear();
              setIsFromDraft(false);
            }}
          />
        </Grid.Col>
      )}
      <Grid.Col span={{ base: 12, md: 7.5 }}>
        <Paper withBorder radius="lg" p="lg" component="form" onSubmit={form.onSubmit(submit)} noValidate>
          {/* While the outcome is unknown, the form is locked so that the user does not place a second call by mistake. */}
          <fieldset className={classes['fields']} disabled={isUnknown || place.isPending}>
            <Stack gap="md">
              <AgentField agents={agents} {...form.getInputProps('agent_id')} />
              <NumberField testNumbers={testNumbers} {...form.getInputProps('to_number')} />
              <NumberVerdict accountId={accountId} values={form.values} />
              <CalleeTime number={form.values.to_number} />
              <FromField numbers={numbers} {...form.getInputProps('from_number')} />
              <Variables form={form} names={variableNames(agent, form.values)} />
              {Object.keys(start.metadata).length > 0 && (
                <Checkbox
                  label="Copy metadata from the previous call"
                  checked={Object.keys(form.values.metadata).length > 0}
                  onChange={({ currentTarget: { checked } }) =>
                    form.setFieldValue('metadata', checked ? start.metadata : {})
                  }
                />
              )}
              <ScheduleFields form={form} hasHours={hasHours} />
              <RetryFields form={form} />
              <Limits form={form} />
            </Stack>
          </fieldset>
          <Stack gap="md" mt="lg">
            {!isUnknown && <PlacementSummary values={form.values} />}
            {placementError !== null && (
              <PlacementErrorNotice
                accountId={accountId}
                placementError={placementError}
                requestId={place.error instanceof ApiError ? place.error.requestId : undefined}
                isPending={place.isPending}
                // The same request, even if its time has come since.
                onRetry={() => last.current !== null && send(last.current)}
                onStartOver={() => {
                  last.current = null;
                  place.reset();
                }}
              />
            )}
            {!isUnknown && (
              <Button
                type="submit"
                loading={place.isPending}
                leftSection={<IconPhoneOutgoing size={17} aria-hidden />}
                style={{ alignSelf: 'flex-start' }}
              >
                {form.values.when === 'later' ? 'Schedule call' : 'Place call'}
              </Button>
            )}
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4.5 }}>
        <CallPreview accountId={accountId} agent={agent} variables={form.values.variables} />
      </Grid.Col>
    </Grid>
  );
}
