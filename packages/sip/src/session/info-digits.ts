import type { ReceivedRequest } from '../syntax/message.ts';

/**
 * The digit that an INFO carries, or an empty string. Two forms are in use, neither from an RFC:
 * `application/dtmf-relay` with `Signal=5`, and `application/dtmf` with the digit alone.
 */
export function readInfoDigits({ headers, body }: ReceivedRequest): string {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const text = body.toString();
  switch (type.trim()) {
    case 'application/dtmf-relay':
      return /^\s*signal\s*=\s*(?<digit>[\d*#a-d])\s*$/im.exec(text)?.groups?.['digit']?.toUpperCase() ?? '';
    case 'application/dtmf':
      return /^\s*(?<digit>[\d*#a-d])\s*$/i.exec(text)?.groups?.['digit']?.toUpperCase() ?? '';
    default:
      return '';
  }
}
