import type { DialRequest, Trunk } from '@outdial/calls';
import type { TransferTarget } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { formatSipUri, type ReferRequest } from '@outdial/sip';
import { parseTrunkUri, userAt } from './trunk-call.ts';

/**
 * A REFER over the trunk that carries the call: a number as the trunk dials it, a URI as it is. Undefined if the trunk is not
 * set up for such a transfer.
 */
export function referRequestOf(
  trunk: Pick<Trunk, 'uri' | 'numberFormat' | 'transfers'>,
  { callerNumber }: Pick<DialRequest, 'callerNumber'>,
  target: TransferTarget,
): Omit<ReferRequest, 'timeoutMs'> | undefined {
  const { transfers, numberFormat } = trunk;
  const home = parseTrunkUri('uri', trunk.uri);
  const referredBy = formatSipUri(userAt(home, callerNumber, numberFormat));
  switch (target.kind) {
    case 'number':
      if (transfers === 'none') return undefined;
      return { target: formatSipUri(userAt(home, target.number, numberFormat)), referredBy };
    case 'uri':
      return transfers === 'any' ? { target: target.uri, referredBy } : undefined;
    default:
      return unreachable(target);
  }
}
