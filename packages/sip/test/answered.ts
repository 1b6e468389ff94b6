import type { CallRequest } from '../src/session/call-request.ts';
import { callRequest, createBench, SDP_PARTS, watch } from './bench.ts';

/** A call to the scripted far end that rang with the tag `a`. */
export async function ringingCall(changes: Partial<CallRequest> = {}) {
  const bench = createBench();
  const session = bench.agent.call(callRequest(changes));
  const log = watch(session);
  await bench.settle();
  const invite = bench.peer.last('INVITE');
  bench.peer.respond(invite, 180, { toTag: 'a' });
  await bench.settle();
  return { ...bench, session, log, invite };
}

/** The same, answered, with additional fields for the 200. */
export async function answeredCall(
  headers: readonly (readonly [string, string])[] = [],
  changes: Partial<CallRequest> = {},
) {
  const call = await ringingCall(changes);
  const parts = { toTag: 'a', body: SDP_PARTS.body, headers: [...SDP_PARTS.headers, ...headers] };
  call.peer.respond(call.invite, 200, parts);
  await call.settle();
  /** Header fields of a request of the callee within the dialog. */
  const within = (cseq: number, method: string, extra: readonly (readonly [string, string])[] = []) =>
    [
      ['from', `${call.invite.headers.get('to')};tag=a`],
      ['to', call.invite.headers.get('from') ?? ''],
      ['call-id', call.invite.callId],
      ['cseq', `${cseq} ${method}`],
      ...extra,
    ] as const;
  return { ...call, within };
}
