import type { AcceptCallOutcome, AcceptCallRequest, EndStore, Gate, Observer } from '@outdial/calls';
import type { DashboardErrorCode, ErrorCode } from '@outdial/contracts';
import type { Clock, StoreCondition } from '@outdial/kernel';
import { EVENT_METRICS, SYSTEM_GAUGES } from './catalogue.ts';
import { createExposition, createRebuildObserver, measureProcess, measureStores } from './exposition.ts';
import { openCounterBy, openGauge, openHistogramBy } from './instruments.ts';
import { measureAccepting, measureEndStore } from './measure-accepting.ts';
import { createReading } from './reading.ts';
import { createReadingSuccess } from './reading-success.ts';

type AcceptCall = (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;

/** What the API counts. */
export interface ApiMetrics {
  readonly observer: Observer;
  acceptCall(acceptCall: AcceptCall): AcceptCall;
  endStore(store: EndStore): EndStore;
  refused(code: ErrorCode | DashboardErrorCode): void;
  /** From here on it can be told how the stores are. */
  watch(deps: { readonly stores: () => readonly StoreCondition[]; readonly gate: Pick<Gate, 'state'> }): void;
  expose(): Promise<string>;
}

export function createApiMetrics(clock: Clock): ApiMetrics {
  const exposition = createExposition();
  const { registry } = exposition;
  const accepting = openHistogramBy(registry, EVENT_METRICS.accepting);
  const refused = openCounterBy(registry, EVENT_METRICS.refusals);
  const ended = openCounterBy(registry, EVENT_METRICS.ended);
  const observer = createRebuildObserver(exposition);
  measureProcess(exposition);
  return {
    observer,
    acceptCall: (acceptCall) => measureAccepting(acceptCall, accepting, clock),
    endStore: (store) => measureEndStore(store, ended),
    refused: (code) => refused(code),
    watch({ stores, gate }) {
      measureStores(exposition, stores);
      const successes = createReadingSuccess(exposition);
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
    expose: () => exposition.expose(),
  };
}
