import type { Span } from '@opentelemetry/api';
import { ANSWERED_SIP_CODE, type Carrier, type DialRequest, type Leg, type LegEvent } from '@outdial/calls';
import { unreachable, type Clock } from '@outdial/kernel';
import type { OpenCall, OpenCalls } from './open-calls.ts';
import type { SecondLegs } from './second-legs.ts';

export interface TraceCarrierDeps {
  readonly calls: OpenCalls;
  readonly secondLegs: SecondLegs;
  readonly clock: Clock;
}

/** A span for each dial attempt of a sampled call, and for its talk. Nothing is sent to the carrier. */
export function traceCarrier(carrier: Carrier, deps: TraceCarrierDeps): Carrier {
  return {
    name: carrier.name,
    writeAheadDial: carrier.writeAheadDial,
    endOrphan: (dialog) => carrier.endOrphan(dialog),
    dial(request) {
      const { callId } = request;
      const owner = deps.secondLegs.callOf(callId);
      const call = deps.calls.get(owner ?? callId);
      if (!call) return carrier.dial(request);
      const dial = new TracedDial(deps, call, { leg: owner === undefined ? 'first' : 'second' });
      // A carrier that does not ask for attempts dials at once.
      if (!carrier.writeAheadDial) dial.begin({});
      return dial.legOf(carrier.dial(dial.requestOf(request)));
    },
  };
}

class TracedDial {
  readonly #deps: TraceCarrierDeps;
  readonly #call: OpenCall;
  readonly #leg: 'first' | 'second';
  #attempts = 0;
  #attempt: Span | null = null;
  /** The last code of this attempt: a response may be sent again. */
  #lastCode: number | null = null;
  /** The carrier reports each response; otherwise the events of the leg have the codes. */
  #hearsResponses = false;

  constructor(deps: TraceCarrierDeps, call: OpenCall, { leg }: { readonly leg: 'first' | 'second' }) {
    this.#deps = deps;
    this.#call = call;
    this.#leg = leg;
  }

  begin({ trunk, startTime }: { readonly trunk?: string; readonly startTime?: number }): void {
    this.#endAttempt();
    this.#attempts += 1;
    this.#lastCode = null;
    const attributes = {
      'outdial.leg': this.#leg,
      'outdial.attempt': this.#attempts,
      ...(trunk !== undefined && { 'outdial.trunk': trunk }),
    };
    this.#attempt = this.#deps.calls.begin(this.#call, 'call.dial', {
      attributes,
      ...(startTime !== undefined && { startTime }),
    });
  }

  requestOf(request: DialRequest): DialRequest {
    return {
      ...request,
      beginAttempt: async (trunk, dialog) => {
        const startTime = this.#deps.clock.nowMs();
        const outcome = await request.beginAttempt(trunk, dialog);
        if (outcome === 'begun') this.begin({ trunk: trunk.name, startTime });
        return outcome;
      },
      onResponse: (sipCode) => {
        this.#hearsResponses = true;
        this.#response(sipCode);
        request.onResponse?.(sipCode);
      },
    };
  }

  legOf(leg: Leg): Leg {
    return {
      media: leg.media,
      listen: (listener) =>
        leg.listen((event) => {
          this.#onEvent(event);
          listener(event);
        }),
      hangUp: () => leg.hangUp(),
      transfer: (request) => leg.transfer(request),
    };
  }

  #response(sipCode: number): void {
    if (this.#lastCode === sipCode) return;
    this.#lastCode = sipCode;
    this.#attempt?.addEvent('sip.response', { 'sip.response_code': sipCode });
    this.#attempt?.setAttribute('sip.response_code', sipCode);
  }

  #onEvent(event: LegEvent): void {
    switch (event.kind) {
      case 'ringing':
        if (!this.#hearsResponses) this.#response(event.sipCode);
        return;
      case 'answered':
        if (!this.#hearsResponses) this.#response(ANSWERED_SIP_CODE);
        this.#endAttempt();
        if (this.#leg === 'first') this.#call.talk ??= this.#deps.calls.begin(this.#call, 'call.talk', {});
        return;
      case 'ended': {
        const { outcome, by, sipCode } = event.end;
        if (!this.#hearsResponses && sipCode !== null && this.#attempt !== null) this.#response(sipCode);
        this.#attempt?.setAttribute('outdial.leg.outcome', outcome);
        this.#endAttempt();
        return this.#leg === 'first' ? this.#endTalk({ outcome, by }) : undefined;
      }
      case 'dialog':
      case 'on_hold':
      case 'transfer':
        return;
      default:
        return unreachable(event);
    }
  }

  #endAttempt(): void {
    if (this.#attempt) this.#deps.calls.end(this.#call, this.#attempt);
    this.#attempt = null;
  }

  #endTalk({ outcome, by }: { readonly outcome: string; readonly by: string }): void {
    const { talk } = this.#call;
    talk?.setAttributes({ 'outdial.leg.outcome': outcome, 'outdial.ended_by': by });
    if (talk) this.#deps.calls.end(this.#call, talk);
  }
}
