import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { suppressionCheckQuery } from '../../../shared/account/suppressions.ts';
import { ListedNumberNotice } from '../../../shared/components/listed-number-notice.tsx';
import { readNumber } from '../../../shared/forms/read-number.ts';

/** A number may be complete after its seventh digit and go on: waits for a pause in typing. */
const DEBOUNCE_MS = 300;

interface NumberVerdictProps {
  readonly accountId: string;
  /** As the user types it. */
  readonly text: string;
}

/** Says before the call is placed that its number is on a do-not-call list. A failed check shows nothing: the service judges again. */
export function NumberVerdict({ accountId, text }: NumberVerdictProps) {
  const number = readNumber(text);
  const [settled] = useDebouncedValue(number, DEBOUNCE_MS);
  const { data } = useQuery(suppressionCheckQuery(accountId, settled));
  if (number !== settled) return null;
  return <ListedNumberNotice check={data} advice="A call to this number is refused: choose another one." />;
}
