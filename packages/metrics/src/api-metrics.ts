import type { AcceptCallOutcome, AcceptCallRequest, EndStore, Gate, Observer } from '@outdial/calls';
import type { DashboardErrorCode, ErrorCode } from '@outdial/contracts';
import type { Clock, StoreCondition } from '@outdial/kernel';
import {
  EVENT_METRICS,
  PROCESS_GAUGES,
  SYSTEM_GAUGES,
  type EMAIL_ATTEMPTS,
  type MONITOR_MESSAGES,
} from './catalogue.ts';
import { measureDemand, type DemandDeps } from './demand-metrics.ts';
import { measureEmails, type EmailBacklog } from './email-metrics.ts';
import {
  createExposition,
  createRebuildObserver,
  measureProcess,
  measureSpans,
  measureStores,
  type Expose,
} from './exposition.ts';
import { openCounterBy, openGauge, openHistogramBy } from './instruments.ts';
import { measureAccepting, measureEndStore } from './measure-accepting.ts';
import { createReading } from './reading.ts';
import { createReadingSuccess } from './reading-success.ts';

type AcceptCall = (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;

/** The metrics of the API. */
export interface ApiMetrics {
  readonly observer: Observer;
  acceptCall(acceptCall: AcceptCall): AcceptCall;
  endStore(store: EndStore): EndStore;
  refused(code: ErrorCode | DashboardErrorCode): void;
  readonly emailAttempted: (outcome: (typeof EMAIL_ATTEMPTS)[number]) => void;
  /** How many members listen to live calls over this process. */
  readonly monitors: (count: number) => void;
  readonly monitorMessage: (outcome: (typeof MONITOR_MESSAGES)[number]) => void;
  /** Adds the metrics about stores, gate, the calls that need a worker, and e-mails. */
  watch(
    deps: DemandDeps & {
      readonly stores: () => readonly StoreCondition[];
      readonly gate: Pick<Gate, 'state'>;
      readonly emails: () => Promise<EmailBacklog>;
      /** Null: nothing is traced. */
      readonly spansDropped: (() => number) | null;
    },
  ): void;
  readonly expose: Expose;
}

export function createApiMetrics(clock: Clock): ApiMetrics {
  const exposition = createExposition();
  const { registry } = exposition;
  const accepting = openHistogramBy(registry, EVENT_METRICS.accepting);
  const policyRefusals = openCounterBy(registry, EVENT_METRICS.policyRefusals);
  const refused = openCounterBy(registry, EVENT_METRICS.refusals);
  const ended = openCounterBy(registry, EVENT_METRICS.ended);
  const emailAttempts = openCounterBy(registry, EVENT_METRICS.emailAttempts);
  const monitors = openGauge(registry, PROCESS_GAUGES.monitors);
  monitors(0);
  const monitorMessages = openCounterBy(registry, EVENT_METRICS.monitorMessages);
  const observer = createRebuildObserver(exposition);
  measureProcess(exposition);
  return {
    observer,
    acceptCall: (acceptCall) => measureAccepting(acceptCall, { accepting, policyRefusals }, clock),
    endStore: (store) => measureEndStore(store, ended),
    refused: (code) => refused(code),
    emailAttempted: (outcome) => emailAttempts(outcome),
    monitors: (count) => monitors(count),
    monitorMessage: (outcome) => monitorMessages(outcome),
    watch({ stores, gate, emails, reader, jobs, spansDropped }) {
      measureStores(exposition, stores);
      measureSpans(exposition, spansDropped);
      const successes = createReadingSuccess(exposition);
      measureDemand(exposition, successes, { reader, jobs, clock });
      measureEmails(exposition, successes, { read: emails, clock });
      const gateOpen = openGauge(registry, SYSTEM_GAUGES.gateOpen);
      exposition.beforeScrape(
        createReading({
          clock,
          read: () => gate.state(),
          show(state) {
            successes.note('gate', state !== null);
            gateOpen(state && Number(state.open));
          },
        }),
      );
    },
    expose: exposition.expose,
  };
}
