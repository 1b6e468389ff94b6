import { parseDescription, type DialogDescription } from '../dialog/description.ts';
import { Dialog } from '../dialog/dialog.ts';
import { Authorizer, type Credentials } from '../digest/authorizer.ts';
import { DialogClient } from '../session/dialog-client.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, type ReceivedResponse, type SipRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import { createCancel } from '../transaction/derived-requests.ts';
import type { Channel } from '../transport/transport.ts';
import type { AgentCore } from './core.ts';

/** Requests that the dead process may have sent without storing their number: ours must be higher. */
const CSEQ_STEP = 100;

const REASON = 'Q.850;cause=41;text="Caller is gone"';

/**
 * Ends a call that another process placed. `gone` once the far end has confirmed it (2xx), or says that it knows no
 * such call (481, 408). `unknown` when it said nothing, or something else: to be tried again.
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
  // Whom the CANCEL has found is gone, whatever it says to the BYE.
  return cancelled.status === 481 ? ended : 'gone';
}

/**
 * A CANCEL does nothing to an INVITE that was answered before anybody here could store that. The far end gives such a
 * call up by itself, because the ACK waits for the store; where its tag is known a BYE ends it at once. The response to
 * the CANCEL should carry the tag of the INVITE's own (RFC 3261 section 9.2).
 */
function dialogIfAnswered(description: DialogDescription, cancelled: ReceivedResponse): DialogDescription | undefined {
  const { status, to, headers } = cancelled;
  const isFound = status >= 200 && status < 300;
  if (!isFound && status !== 481) return undefined;
  if (description.remoteTag !== null) return description;
  const remoteTag = isFound ? tagOf(to) : null;
  return remoteTag === null ? undefined : { ...description, remoteTag, remoteAddress: headers.get('to') ?? '' };
}

/** Null when nothing came back. */
type Status = number | null;

function verdict(status: Status): 'gone' | 'unknown' {
  if (status === null) return 'unknown';
  return (status >= 200 && status < 300) || status === 481 || status === 408 ? 'gone' : 'unknown';
}

/** With the dead process's own Via, whose branch is what the far end knows the INVITE by. */
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
