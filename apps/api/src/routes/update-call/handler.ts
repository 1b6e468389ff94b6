import type { CallReader } from '@outdial/calls';
import { presentCall } from '@outdial/presentation';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { callNotFound } from '../call-params.ts';
import { updateCallContract } from './contract.ts';

export function updateCallRoute({ reader }: { readonly reader: Pick<CallReader, 'saveReviewNote'> }): AccountRoute {
  return defineRoute(updateCallContract, async ({ principal, params, body }) => {
    const call = await reader.saveReviewNote(principal.account.id, params.call_id, body.review_note);
    if (call === null) throw callNotFound();
    return { status: 200, body: { call: presentCall(call) } };
  });
}
