import { parseDescription, type DialogDescription } from '../dialog/description.ts';
import { Dialog } from '../dialog/dialog.ts';
import { Authorizer, type Credentials } from '../digest/authorizer.ts';
import { DialogClient } from '../session/dialog-client.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, type ReceivedResponse, type SipRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import { createCancel } from '../transaction/derived-requests.ts';
import type { Channel } from '../transport/transport.ts';
import type { AgentCore } from '../core/agent-core.ts';

/** The dead process may have sent requests without storing their CSeq numbers: ours must be higher. */
const CSEQ_STEP = 100;

const REASON = 'Q.850;cause=41;text="Caller is gone"';

/**
 * Ends a call that another process placed.
 * - `gone`: the far end confirmed the end (2xx) or does not know the call (481, 408).
 * - `unknown`: the far end did not answer, or answered something else. Try again.
 */
export async function endByDescription(
  core: AgentCore,
  stored: unknown,
  credentials: Credentials | undefined,
): Promise<'gone' | 'unknown'> {
  const description = parseDescription(stored);
  if (description === undefined) return 'unknown';
  const { transport, address, port, serverName } = description;
  let channel: Channel;
  try {
    const named = serverName === null ? {} : { serverName };
    channel = await core.transport.open({ transport, address, port, ...named });
  } catch {
    return 'unknown';
  }
  if (description.state === 'answered') return verdict(await sendBye(core, description, channel, credentials));
  const cancelled = await sendCancel(core, description, channel);
  if (cancelled === null) return 'unknown';
  const answered = dialogIfAnswered(description, cancelled);
  if (answered === undefined) return verdict(cancelled.status);
  const ended = verdict(await sendBye(core, answered, channel, credentials));
  // A 2xx to the CANCEL proves that the call is gone, whatever the answer to the BYE is.
  return cancelled.status === 481 ? ended : 'gone';
}

/**
 * A CANCEL has no effect on an INVITE that was answered before the worker could store the answer. The far end ends such
 * a call by itself, because the ACK waits for the store. Where the far end's tag is known, a BYE ends the call at once.
 * The response to the CANCEL should carry the same tag as the response to the INVITE (RFC 3261 section 9.2).
 */
function dialogIfAnswered(description: DialogDescription, cancelled: ReceivedResponse): DialogDescription | undefined {
  const { status, to, headers } = cancelled;
  const isFound = status >= 200 && status < 300;
  if (!isFound && status !== 481) return undefined;
  if (description.remoteTag !== null) return description;
  const remoteTag = isFound ? tagOf(to) : null;
  return remoteTag === null ? undefined : { ...description, remoteTag, remoteAddress: headers.get('to') ?? '' };
}

/** Null when no response came. */
type Status = number | null;

function verdict(status: Status): 'gone' | 'unknown' {
  if (status === null) return 'unknown';
  return (status >= 200 && status < 300) || status === 481 || status === 408 ? 'gone' : 'unknown';
}

/** Uses the dead process's Via: the far end matches the CANCEL to the INVITE by its branch. */
function sendCancel(
  { transactions }: AgentCore,
  { callId, localAddress, invite }: DialogDescription,
  channel: Channel,
): Promise<ReceivedResponse | null> {
  const headers = new Headers([
    ['via', invite.via],
    ...invite.routes.map((route) => ['route', route] as const),
    ['from', localAddress],
    ['to', invite.to],
    ['call-id', callId],
    ['cseq', `${invite.cseq} INVITE`],
  ]);
  const request: SipRequest = { kind: 'request', method: 'INVITE', uri: invite.uri, headers, body: NO_BODY };
  return new Promise((resolve) => {
    transactions.sendRequest(createCancel(request, REASON), channel, {
      onResponse: (response) => {
        if (response.status >= 200) resolve(response);
      },
      onTimeout: () => resolve(null),
      onTransportError: () => resolve(null),
    });
  });
}

function sendBye(
  core: AgentCore,
  description: DialogDescription,
  channel: Channel,
  credentials: Credentials | undefined,
): Promise<Status> {
  const dialog = new Dialog({ ...description, localCSeq: description.cseq + CSEQ_STEP, remoteCSeq: null });
  const client = new DialogClient({
    core,
    dialog,
    channel,
    sticky: false,
    contactUser: null,
    authorizer: new Authorizer(credentials),
    onSent: () => undefined,
  });
  return new Promise((resolve) => {
    client.send('BYE', { headers: [['reason', REASON]] }, (result) => {
      resolve(result.kind === 'response' ? result.response.status : null);
    });
  });
}
