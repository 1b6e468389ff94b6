import type { CallReader } from '@outdial/calls';
import { presentCall } from '@outdial/presentation';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { callNotFound } from '../call-params.ts';
import { getCallContract } from './contract.ts';

export function getCallRoute({ reader }: { readonly reader: Pick<CallReader, 'find'> }): AccountRoute {
  return defineRoute(getCallContract, async ({ principal, params }) => {
    const call = await reader.find(principal.account.id, params.call_id);
    if (call === null) throw callNotFound();
    return { status: 200, body: { call: presentCall(call) } };
  });
}
