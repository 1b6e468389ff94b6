import type { TransportName } from '../transport/transport.ts';

/**
 * Everything that another process needs to end a call: plain JSON, to be stored with the call. It holds no password;
 * the process that ends the call supplies the trunk's credentials.
 */
export interface DialogDescription {
  readonly version: 1;
  readonly trunk: string;
  /** `calling`: the INVITE is being sent. `proceeding`: a response came. `answered`: a BYE ends the call. */
  readonly state: 'calling' | 'proceeding' | 'answered';
  readonly callId: string;
  readonly localAddress: string;
  readonly localTag: string;
  readonly remoteAddress: string;
  readonly remoteTag: string | null;
  /** CSeq of the last request that was sent. */
  readonly cseq: number;
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
  /** Where the INVITE went. */
  readonly transport: TransportName;
  readonly address: string;
  readonly port: number;
  readonly serverName: string | null;
  /** The fields that a CANCEL must repeat (RFC 3261 section 9.1). */
  readonly invite: {
    readonly uri: string;
    readonly via: string;
    readonly cseq: number;
    readonly routes: readonly string[];
    readonly to: string;
  };
}

/** Reads a stored description; undefined when the value is not one, or has another version. */
export function parseDescription(value: unknown): DialogDescription | undefined {
  const invite = isRecord(value) ? value['invite'] : undefined;
  return isRecord(value) && isRecord(invite) && hasParts(value) && hasInviteParts(invite)
    ? { ...value, invite }
    : undefined;
}

type Parts = Omit<DialogDescription, 'invite'>;

function hasParts(value: Record<string, unknown>): value is Record<string, unknown> & Parts {
  const { version, state, transport, port } = value;
  const texts = ['trunk', 'callId', 'localAddress', 'localTag', 'remoteAddress', 'remoteTarget', 'address'];
  return (
    version === 1 &&
    (state === 'calling' || state === 'proceeding' || state === 'answered') &&
    (transport === 'UDP' || transport === 'TCP' || transport === 'TLS') &&
    Number.isInteger(port) &&
    Number.isInteger(value['cseq']) &&
    texts.every((name) => typeof value[name] === 'string') &&
    ['remoteTag', 'serverName'].every((name) => value[name] === null || typeof value[name] === 'string') &&
    isTexts(value['routeSet'])
  );
}

function hasInviteParts(
  value: Record<string, unknown>,
): value is Record<string, unknown> & DialogDescription['invite'] {
  const texts = ['uri', 'via', 'to'];
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    Number.isInteger(value['cseq']) &&
    isTexts(value['routes'])
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
