import { Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { policyCheckQuery, type PolicyQuestion } from '../../shared/account/calling-policy.ts';
import { suppressionCheckQuery } from '../../shared/account/suppressions.ts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { toOffsetTime, zoneWords } from '../../shared/format/zone.ts';
import { fieldErrorsOf } from '../../shared/forms/field-errors.ts';
import { NUMBER_ERROR, readNumber } from '../../shared/forms/read-number.ts';
import { ZoneField } from '../../shared/forms/zone-field.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { Verdict } from './verdict.tsx';

const EMPTY = { number: '', at: '', zone: '' };

/** Asks the policy and the do-not-call lists about a call that is not placed. */
export function WhatWouldHappen() {
  const { account_id: accountId } = useAccount();
  const [question, setQuestion] = useState<PolicyQuestion | null>(null);
  const policy = useQuery(policyCheckQuery(accountId, question));
  const listed = useQuery(suppressionCheckQuery(accountId, question?.number ?? null));
  const form = useForm({
    initialValues: EMPTY,
    validate: { number: (text) => (readNumber(text) === null ? NUMBER_ERROR : null) },
    // The verdict is about what was asked.
    onValuesChange: () => setQuestion(null),
  });
  const submit = form.onSubmit(({ number, at, zone }) => {
    const e164 = readNumber(number);
    if (e164 === null) return;
    setQuestion({ number: e164, at: toOffsetTime(at), zone: zone.trim() === '' ? undefined : zone.trim() });
  });
  const errors = fieldErrorsOf(policy.error);
  const failed = [policy, listed].find(({ isError }) => isError);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="what-would-happen">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} size="h4" id="what-would-happen">
              What would happen
            </Title>
            <Text size="sm" c="dimmed">
              Asks the rules about a call, without placing it.
            </Text>
          </div>
          <TextInput
            label="Number"
            placeholder="+1 202 555 0143"
            type="tel"
            autoComplete="off"
            {...form.getInputProps('number')}
          />
          <TextInput
            type="datetime-local"
            label="Time (optional)"
            description={`Now unless given. In your time zone: ${zoneWords(new Date())}`}
            {...form.getInputProps('at')}
            error={errors['at']}
          />
          <ZoneField
            label="Callee’s time zone (optional)"
            {...form.getInputProps('zone')}
            error={errors['callee_time_zone']}
          />
          {failed !== undefined && <ErrorNotice title="Could not ask the rules" error={failed.error} />}
          {question !== null && policy.data && listed.data && <Verdict check={policy.data} listed={listed.data} />}
          <Button type="submit" loading={policy.isFetching || listed.isFetching} style={{ alignSelf: 'flex-start' }}>
            Ask
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}
