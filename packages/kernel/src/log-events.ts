import { ANALYSIS_EVENTS } from './log-events/analysis-events.ts';
import { CALL_EVENTS } from './log-events/call-events.ts';
import { CARRIER_EVENTS, SIMULATED_NETWORK_EVENTS } from './log-events/carrier-events.ts';
import type { LogEventEntry } from './log-events/log-event.ts';
import { PROCESS_EVENTS, REQUEST_EVENTS } from './log-events/process-events.ts';
import { QUEUE_EVENTS } from './log-events/queue-events.ts';
import { RECORDING_EVENTS } from './log-events/recording-events.ts';
import { EVALUATION_EVENTS } from './log-events/evaluation-events.ts';
import { TRY_EVENTS } from './log-events/try-events.ts';
import { WEBHOOK_EVENTS } from './log-events/webhook-events.ts';

/** The sections of `docs/reference/log-events.md`. */
export const LOG_EVENT_SECTIONS = {
  Calls: CALL_EVENTS,
  Analyses: ANALYSIS_EVENTS,
  Tries: TRY_EVENTS,
  Evaluations: EVALUATION_EVENTS,
  Webhooks: WEBHOOK_EVENTS,
  'Gate and queue': QUEUE_EVENTS,
  'SIP, trunks and sound': CARRIER_EVENTS,
  Recordings: RECORDING_EVENTS,
  'Stores and processes': PROCESS_EVENTS,
  'Requests and users': REQUEST_EVENTS,
  'Simulated network': SIMULATED_NETWORK_EVENTS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, LogEventEntry>>>>;

/**
 * Every `event` of the log lines of all services. Names are stable: operators search and alert by them, while messages
 * may change. Add a new name here first; `npm run docs:reference` writes its row.
 */
export const LOG_EVENTS = {
  ...CALL_EVENTS,
  ...ANALYSIS_EVENTS,
  ...TRY_EVENTS,
  ...EVALUATION_EVENTS,
  ...WEBHOOK_EVENTS,
  ...QUEUE_EVENTS,
  ...CARRIER_EVENTS,
  ...RECORDING_EVENTS,
  ...PROCESS_EVENTS,
  ...REQUEST_EVENTS,
  ...SIMULATED_NETWORK_EVENTS,
} as const satisfies Readonly<Record<string, LogEventEntry>>;

/** The stable name of a log line. */
export type LogEvent = keyof typeof LOG_EVENTS;

/** Under its own name `LogEvent` would be the one of pino's namespace. */
type EventName = LogEvent;

/** Makes the compiler reject a log line whose event is not listed. */
declare module 'pino' {
  // pino offers no other place for the type of a field.
  namespace pino {
    interface LogFnFields {
      readonly event?: EventName;
    }
  }
}
