import { LOG_EVENT_SECTIONS } from '@outdial/kernel';
import { code, prose, table } from './table.ts';

/** Every event of the log, with what it means and what to do. */
export function logEventsPage(): string {
  const sections = Object.entries(LOG_EVENT_SECTIONS).flatMap(([title, events]) => {
    const rows = Object.entries(events)
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([name, { levels, meaning, action }]) => [code(name), levels.join(', '), prose(meaning), linked(action)]);
    return [`## ${title}`, table(['Event', 'Level', 'Meaning', 'What to do'], rows)];
  });
  return [
    '# Log events',
    'The API, the workers and the simulated network log JSON lines. Each line has an `event` from this page. Events are stable: search and alert by `event`, not by `msg`, which may change.',
    '`callId`, `accountId` and `requestId` join the lines of one call, account or request. `err` has the text and stack of an error. Phone numbers are masked, and keys never appear. `LOG_LEVEL` sets the least serious level that a process emits.',
    'While a store is away, a process logs one line when it goes and one when it returns. Failures that follow from it are logged at `debug`, whatever their level here.',
    ...sections,
  ].join('\n\n');
}

/** Names of alarms lead to the runbook. */
function linked(action: string): string {
  return prose(action).replaceAll(/Outdial[A-Z]\w+/g, (alarm) => `[${alarm}](../runbook.md#${alarm.toLowerCase()})`);
}
