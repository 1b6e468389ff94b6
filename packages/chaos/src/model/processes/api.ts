import { createAdmission } from '@outdial/admission';
import { type AcceptCallOutcome, type AcceptCallRequest, type AccountProfile } from '@outdial/calls';
import { micros, type CallId, type ReservationId } from '@outdial/contracts';
import { createAdministration, openOwnAccount } from '@outdial/persistence';
import { startProcess } from '../world/process.ts';
import type { Api, CreateInput, World } from '../world/world.ts';
import { RING_TIMEOUT_SECONDS } from './fixtures.ts';
import { directoriesOf } from './model-agents.ts';
import { modelEnding } from './model-ending.ts';
import { SILENT, storesOf } from './stores-of.ts';

/** The time limit of an answer. */
const BUDGET_MS = 900;

const TOP_UP_MICROS = 100n;

const NO_BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };

export function createApi(world: World): Api {
  world.started += 1;
  const process = startProcess(world.clock, `api-${world.started}`);
  const { clock } = process;
  const { promises, ids } = world;
  const { database, gate, queue } = storesOf(world, process);
  const given: { reservationId: ReservationId | null; callId: CallId | null } = { reservationId: null, callId: null };
  const admission = createAdmission({
    clock,
    logger: SILENT,
    database,
    gate,
    queue,
    ...directoriesOf(world.profile),
    queueTtlSeconds: world.profile.queueTtlSeconds,
    readTrunkAvailability: async () => null,
    ids: {
      newCallId: () => (given.callId = ids.callId()),
      newReservationId: () => (given.reservationId = ids.reservationId()),
    },
  });
  const endCall = modelEnding(world, { process, database, gate });
  const { wallets } = createAdministration(database, { actor: 'model' });

  return {
    process,
    create(input) {
      const account = { ...input.party.account, policies: world.policies.known(process, input.party.accountId) };
      const answering = admission.acceptCall(requestOf(input, account, clock.monotonicMs() + BUDGET_MS));
      // Assigned in the tick in which the request comes in.
      const { reservationId } = given;
      const callId = input.key === null ? given.callId : null;
      const fromMs = world.clock.nowMs;
      const isForLater = input.when.scheduled_for !== undefined;
      const answered = (outcome: AcceptCallOutcome): void => {
        promises.answered({ reservationId, key: input.key, callId, isForLater, outcome });
        const { key, callee, party, when } = input;
        const refused = { account: party.accountId, callee, key, fromMs, toMs: world.clock.nowMs };
        if (outcome.kind === 'suppressed') promises.refused.push(refused);
        if (outcome.kind === 'outside_calling_window' || outcome.kind === 'frequency_capped')
          promises.refusedByPolicy.push({
            ...refused,
            reason: outcome.kind,
            zone: when.callee_time_zone ?? null,
            scheduledForMs: when.scheduled_for === undefined ? null : Date.parse(when.scheduled_for),
          });
      };
      void answering.then(answered, (error: unknown) =>
        promises.violate('defect', `a request failed: ${String(error)}`),
      );
    },
    end: (accountId, callId) => void endCall({ accountId, callId }).catch(() => undefined),
    topUp(accountId, key) {
      const topping = wallets.topUp({ accountId, amountMicros: micros(TOP_UP_MICROS), idempotencyKey: key });
      void topping.then(({ limits }) => gate.refreshAccount(limits)).catch(() => undefined);
    },
    campaignsOf: (accountId) => openOwnAccount(database, { accountId, actor: 'model', bounds: NO_BOUNDS }),
  };
}

function requestOf(
  { party, callee, key, maxDurationSeconds, when }: CreateInput,
  account: AccountProfile,
  deadlineMs: number,
): AcceptCallRequest {
  return {
    account,
    body: {
      to_number: callee,
      agent_id: party.agentId,
      max_duration_seconds: maxDurationSeconds,
      ring_timeout_seconds: RING_TIMEOUT_SECONDS,
      ...when,
    },
    idempotencyKey: key,
    requestId: 'model',
    deadlineMs,
  };
}
