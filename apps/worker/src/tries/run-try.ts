import { createUsageMeter } from '@outdial/calls';
import {
  micros,
  microsToDecimal,
  secretNamesOf,
  type ConductedSettings,
  type TryEndReason,
  type TryId,
} from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { TryJob } from '@outdial/persistence';
import { openedModels } from '../model-thread/conducted-conversations.ts';
import type { CallToOpen } from '../model-thread/messages.ts';
import { EventReporter } from './event-reporter.ts';
import { finishTry, type TryEnd } from './finish-try.ts';
import { tryVariables } from './open-text-mind.ts';
import { heldAs, type TryDeps } from './ports.ts';
import { LiveTry } from './live-try.ts';
import { takePlace } from './take-place.ts';

export type TryJobEnd = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

/**
 * Runs one try to its end. May be asked for the same try anywhere at the same time: the lease lets one worker run it, and a
 * try whose worker was lost is ended and never begun again.
 */
export async function runTry(deps: TryDeps, tryId: TryId, stopping: AbortSignal): Promise<TryJobEnd> {
  const claim = await deps.store.claim({ tryId, leaseMs: deps.timings.leaseMs });
  switch (claim.kind) {
    case 'over':
      return { kind: 'done' };
    case 'leased':
      return { kind: 'later', afterMs: claim.forMs };
    case 'claimed': {
      const logger = deps.logger.child({ tryId, accountId: claim.job.accountId });
      const own = { ...deps, logger };
      if (claim.job.claims > 1) await endLost(own, claim.job, 'worker_lost');
      else await run(own, claim.job, stopping);
      return { kind: 'done' };
    }
    default:
      return unreachable(claim);
  }
}

/** Ends the tries that no worker has begun, and those whose worker was lost. */
export async function endOverdueTries(deps: TryDeps): Promise<void> {
  for (const tryId of await deps.store.overdue({ waitMs: deps.timings.waitMs, limit: 100 })) {
    const claim = await deps.store.claim({ tryId, leaseMs: deps.timings.leaseMs });
    if (claim.kind === 'claimed') await endLost(deps, claim.job, claim.job.claims > 1 ? 'worker_lost' : 'not_started');
  }
}

/** Charges what is known of it. */
async function endLost(deps: TryDeps, job: TryJob, reason: TryEndReason): Promise<void> {
  const { usage, costMicros } = job;
  await end(deps, job, { reason, usage, costMicros }, reporterOf(deps, job.tryId));
}

async function run(deps: TryDeps, job: TryJob, stopping: AbortSignal): Promise<void> {
  const reporter = reporterOf(deps, job.tryId);
  const meter = createUsageMeter(
    { driver: 'cascade', models: job.models, rates: job.rates, estimateMicrosPerMinute: micros(0) },
    deps.clock,
  );
  const live = new LiveTry({ deps, job, meter, reporter, stopping });
  const reason = await converse(deps, job, live, stopping).catch((error: unknown): TryEndReason => {
    deps.logger.warn({ event: 'try.failed', err: error }, 'a try could not go on');
    return 'provider_unavailable';
  });
  await live.close();
  // Another worker has taken it over, and ends it.
  if (live.isFenced) return;
  await end(deps, job, { reason, ...live.used() }, reporter);
}

async function converse(deps: TryDeps, job: TryJob, live: LiveTry, stopping: AbortSignal): Promise<TryEndReason> {
  const { settings } = job;
  if (settings.kind !== 'usable' || settings.settings.driver === 'scripted') return 'provider_rejected';
  live.keepLease();
  const place = await takePlace(deps, job, stopping);
  switch (place) {
    case 'taken':
      return live.talk(await openCall(deps, job, settings.settings));
    case 'insufficient_funds':
      return place;
    case 'none':
    case 'fenced':
      return 'not_started';
    default:
      return unreachable(place);
  }
}

async function openCall({ opener, clock }: TryDeps, job: TryJob, settings: ConductedSettings): Promise<CallToOpen> {
  const { tryId, accountId, models } = job;
  const [opened, secrets] = await Promise.all([
    opener.open(
      accountId,
      models.map(({ credentialId }) => credentialId),
    ),
    opener.openSecrets(accountId, secretNamesOf(settings)),
  ]);
  const variables = tryVariables(job.variables, tryId, settings, clock);
  return { callId: heldAs(tryId), accountId, settings, variables, models: openedModels(models, opened), secrets };
}

async function end(deps: TryDeps, job: TryJob, how: TryEnd, reporter: EventReporter): Promise<void> {
  const outcome = await finishTry(deps, job, how);
  if (outcome.kind !== 'finished') return;
  deps.logger.info({ event: 'try.ended', reason: how.reason }, 'a try ended');
  reporter.report({ type: 'ended', reason: how.reason, cost: microsToDecimal(outcome.costMicros) });
  if (job.medium === 'microphone') deps.sound.end.send(job.tryId, { kind: 'ended', reason: how.reason });
  await reporter.flush();
}

function reporterOf({ channel, clock }: TryDeps, tryId: TryId): EventReporter {
  return new EventReporter({ channel, tryId, clock });
}
