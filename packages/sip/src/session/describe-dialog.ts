import type { DialogDescription } from '../dialog/description.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { InviteAttempt } from './invite-dialer.ts';

/** Describes what another process needs to end the call. Without `dialog`, no response to the INVITE had a tag. */
export function describeDialog(
  { invite, cseq, channel }: InviteAttempt,
  parts: {
    readonly trunk: string;
    readonly localTag: string;
    readonly state: DialogDescription['state'];
    readonly dialog: Dialog | undefined;
  },
): DialogDescription {
  const { trunk, localTag, state, dialog } = parts;
  const { transport, address, port, serverName } = channel.remote;
  const field = (name: string) => invite.headers.get(name) ?? '';
  return {
    version: 1,
    trunk,
    state,
    callId: field('call-id'),
    localAddress: field('from'),
    localTag,
    remoteAddress: dialog?.remoteAddress ?? field('to'),
    remoteTag: dialog?.remoteTag ?? null,
    cseq: dialog?.localCSeq ?? cseq,
    routeSet: dialog?.routeSet ?? [],
    remoteTarget: dialog?.remoteTarget ?? invite.uri,
    transport,
    address,
    port,
    serverName: serverName ?? null,
    invite: { uri: invite.uri, via: field('via'), cseq, routes: invite.headers.all('route'), to: field('to') },
  };
}
