import type { CALL_VARIABLES, ConductedSettings } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { CallFacts } from '../call.ts';

/** The variables of a call that models conduct: its own, and those that every such call has. */
export function conductedVariables(
  call: Pick<CallFacts, 'id' | 'callerNumber' | 'calleeNumber' | 'variables'>,
  { language, timezone }: Pick<ConductedSettings, 'language' | 'timezone'>,
  clock: Clock,
): Readonly<Record<string, string>> {
  const now = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  const own: Readonly<Record<(typeof CALL_VARIABLES)[number], string>> = {
    callee_number: call.calleeNumber,
    caller_number: call.callerNumber,
    now: now.format(clock.nowMs()),
    call_id: call.id,
  };
  return { ...call.variables, ...own };
}
