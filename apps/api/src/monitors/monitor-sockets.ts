import { randomUUID } from 'node:crypto';
import type { CallReader } from '@outdial/calls';
import type { CallId, MonitorClose } from '@outdial/contracts';
import type { ApiMetrics } from '@outdial/metrics';
import { ownAccountOf, type OwnAccountDeps } from '../http/own-account.ts';
import type { MemberPrincipal } from '../http/principal.ts';
import type { UpgradeHandler } from '../http/protocol-errors.ts';
import { callNotFound } from '../routes/call-params.ts';
import { createMemberSockets, type MemberSocketsDeps } from '../sockets/member-sockets.ts';
import { Monitor, type MonitorDeps } from './monitor.ts';
import { monitorParams } from './monitor-request.ts';

export interface MonitorSocketsDeps extends MonitorDeps, OwnAccountDeps, MemberSocketsDeps {
  readonly reader: Pick<CallReader, 'find'>;
  readonly metrics: Pick<ApiMetrics, 'monitorMessage' | 'monitors'>;
}

interface Admitted {
  readonly principal: MemberPrincipal;
  readonly callId: CallId;
}

/** A monitor sends nothing; pings and pongs carry at most 125 bytes. */
const MOST_RECEIVED_BYTES = 125;

/** Members listen to live calls over WebSockets. */
export function createMonitorSockets(deps: MonitorSocketsDeps): UpgradeHandler {
  const { reader, metrics } = deps;
  let open = 0;
  return createMemberSockets<Admitted, MonitorClose>(deps, {
    mostReceivedBytes: MOST_RECEIVED_BYTES,
    async admit(request) {
      const { callId, ...params } = monitorParams(request);
      const principal = await deps.accessChecks.member(request, params);
      if ((await reader.find(principal.account.id, callId)) === null) throw callNotFound();
      return { principal, callId };
    },
    async serve(socket, { principal, callId }, ending) {
      const accountId = principal.account.id;
      const monitor = new Monitor(deps, {
        accountId,
        callId,
        monitor: randomUUID(),
        socket,
        audit: ownAccountOf(deps, principal).monitors,
        hasEnded: async () => (await reader.find(accountId, callId))?.status === 'ended',
      });
      ending.onEnd((reason) => monitor.close(reason));
      metrics.monitors((open += 1));
      try {
        await monitor.listen();
      } finally {
        metrics.monitors((open -= 1));
      }
    },
  });
}
