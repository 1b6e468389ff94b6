import type { CallReader } from '@outdial/calls';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { timestamp } from '../../present/timestamp.ts';
import { callNotFound } from '../call-params.ts';
import { listEventsContract } from './contract.ts';

export function listEventsRoute({ reader }: { readonly reader: Pick<CallReader, 'events'> }): Route {
  return defineRoute(listEventsContract, async ({ principal, params }) => {
    const events = await reader.events(principal.account.id, params.call_id);
    if (events === null) throw callNotFound();
    return {
      status: 200,
      body: { events: events.map(({ id, atMs, type, data }) => ({ id, at: timestamp(atMs), type, data })) },
    };
  });
}
