import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { policyCheckQuery, type PolicyQuestion } from '../../../shared/account/calling-policy.ts';
import { suppressionCheckQuery } from '../../../shared/account/suppressions.ts';
import { CallingHoursNotice } from '../../../shared/components/calling-hours-notice.tsx';
import { ListedNumberNotice } from '../../../shared/components/listed-number-notice.tsx';
import { toOffsetTime } from '../../../shared/format/zone.ts';
import { readNumber } from '../../../shared/forms/read-number.ts';
import type { PlacementValues } from '../model/placement-form.ts';
import { policyAdvice } from '../model/policy-advice.ts';

/** A number may be complete after its seventh digit and go on: waits for a pause in typing. */
const DEBOUNCE_MS = 300;

interface NumberVerdictProps {
  readonly accountId: string;
  readonly values: PlacementValues;
}

/**
 * Says before the call is placed that its number is on a do-not-call list, or outside the calling hours. A failed check
 * shows nothing: the service judges again.
 */
export function NumberVerdict({ accountId, values }: NumberVerdictProps) {
  const number = readNumber(values.to_number);
  const [settled] = useDebouncedValue(number, DEBOUNCE_MS);
  const { data } = useQuery(suppressionCheckQuery(accountId, settled));
  if (number !== settled) return null;
  return (
    <>
      <ListedNumberNotice check={data} advice="A call to this number is refused: choose another one." />
      {data?.suppressed !== true && <PolicyVerdict accountId={accountId} values={values} />}
    </>
  );
}

function PolicyVerdict({ accountId, values }: NumberVerdictProps) {
  // A text: an object would be another one with each key.
  const asked = JSON.stringify(questionOf(values));
  const [settled] = useDebouncedValue(asked, DEBOUNCE_MS);
  const { data } = useQuery(policyCheckQuery(accountId, settled === asked ? questionOf(values) : null));
  if (data === undefined) return null;
  return (
    <CallingHoursNotice check={data}>
      <Text size="sm">{policyAdvice(data, values)}</Text>
    </CallingHoursNotice>
  );
}

function questionOf({
  to_number: text,
  when,
  scheduled_for: at,
  callee_time_zone: zone,
}: PlacementValues): PolicyQuestion | null {
  const number = readNumber(text);
  if (number === null) return null;
  return {
    number,
    at: when === 'later' ? toOffsetTime(at) : undefined,
    zone: zone.trim() === '' ? undefined : zone.trim(),
  };
}
