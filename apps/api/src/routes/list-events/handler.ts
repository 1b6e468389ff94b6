import type { CallReader } from '@outdial/calls';
import { presentEvent } from '@outdial/presentation';
import Negotiator from 'negotiator';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { headerOf } from '../../http/header.ts';
import { callNotFound } from '../call-params.ts';
import { listEventsContract } from './contract.ts';
import { streamEvents, type StreamEventsDeps } from './stream-events.ts';
import { positionOf } from './stream-position.ts';

export interface ListEventsDeps extends StreamEventsDeps {
  readonly reader: Pick<CallReader, 'events'>;
}

export function listEventsRoute(deps: ListEventsDeps): AccountRoute {
  return defineRoute(listEventsContract, async ({ principal, params, rawHeaders, method }) => {
    const callId = params.call_id;
    const accountId = principal.account.id;
    const events = await deps.reader.events(accountId, callId);
    if (events === null) throw callNotFound();
    if (!prefersStream(rawHeaders)) return { status: 200, body: { events: events.map(presentEvent) } };
    const position = positionOf(rawHeaders);
    return streamEvents(deps, { principal, callId, events, position, isHead: method === 'HEAD' });
  });
}

/** JSON unless the client names a stream explicitly: most clients accept any type. */
function prefersStream(rawHeaders: readonly string[]): boolean {
  const accept = headerOf(rawHeaders, 'Accept') ?? undefined;
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(['application/json', 'text/event-stream']);
  return preferred === 'text/event-stream';
}
