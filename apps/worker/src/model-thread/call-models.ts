import {
  breakerNames,
  breakersOf,
  recordOutcome,
  takeLine,
  type Breakers,
  type Conversations,
  type LineDirectory,
  type ModelAtCredential,
  type ModelOutcome,
  type OpenBreaker,
  type OutcomeDeps,
  type PinnedModel,
  type TakeLineDeps,
} from '@outdial/calls';
import type { BreakerName, CallId } from '@outdial/contracts';
import { createFreshCache, type Logger } from '@outdial/kernel';
import type { KeyChecks } from './key-checks.ts';

type Conducted = NonNullable<Parameters<Conversations['open']>[0]['conducted']>;

export interface CallModelsDeps extends TakeLineDeps {
  readonly breakers: Breakers;
  readonly lineDirectory: LineDirectory;
  readonly keyChecks: Pick<KeyChecks, 'isRejected'>;
  readonly logger: Logger;
}

/** The calls of this worker that models conduct, and what breakers and lines say about their models. */
export interface CallModels {
  add(callId: CallId, conducted: Conducted): void;
  remove(callId: CallId): void;
  /** Never rejects: evidence that Redis does not take is lost. */
  used(callId: CallId, model: ModelAtCredential, outcome: ModelOutcome): void;
  /**
   * Little is left of what the provider allows for this model in a minute: the line is lowered for one, for all workers. Never
   * rejects: without Redis the next answer says it again.
   */
  nearLimit(callId: CallId, model: ModelAtCredential): void;
  /** Takes a line for a fallback of the call; false if there is none, or no store said so. Never rejects. */
  takeLine(callId: CallId, model: ModelAtCredential): Promise<boolean>;
  /** Breakers that are open now; none while Redis is away. Never rejects. */
  openBreakers(): Promise<readonly OpenBreaker[]>;
}

const LOWERED_MS = 60_000;
/** Each answer of each call says it again. */
const LOWER_EVERY_MS = 5_000;
const MAX_LOWERED = 1_000;

export function createCallModels(deps: CallModelsDeps): CallModels {
  const { breakers, lineDirectory, lineGate, keyChecks, clock, logger } = deps;
  const isKeyRejected: OutcomeDeps['isKeyRejected'] = ({ credentialId }, accountId) =>
    keyChecks.isRejected({ credentialId, accountId });
  const calls = new Map<CallId, Conducted>();

  async function record(callId: CallId, used: ModelAtCredential, outcome: ModelOutcome): Promise<void> {
    const call = calls.get(callId);
    const model = call?.models.find((one) => isSame(one, used));
    if (call && model) await recordOutcome({ breakers, logger, isKeyRejected }, { callId, call, model, outcome });
  }
  const lowered = createFreshCache<null>({
    clock,
    maxAgeMs: LOWER_EVERY_MS,
    maxReadMs: Infinity,
    maxEntries: MAX_LOWERED,
  });
  async function lower(callId: CallId, used: ModelAtCredential): Promise<void> {
    const call = calls.get(callId);
    const found = call?.models.find((one) => isSame(one, used));
    if (!call || !found) return;
    const { model } = breakersOf(found, call);
    await lowered(model, async () => {
      const line = await lineDirectory.lineOfModel(callId, used);
      if (line === null) return null;
      const places = await lineGate.lower({ line: line.name, model, forMs: LOWERED_MS });
      logger.info({ event: 'line.lowered', model, places, forMs: LOWERED_MS }, 'a model gets fewer calls for a minute');
      return null;
    });
  }
  async function take(callId: CallId, model: ModelAtCredential): Promise<boolean> {
    const call = calls.get(callId);
    const line = call && (await lineDirectory.lineOfFallback(callId, model));
    if (!line) return false;
    const { reservationId, epoch } = call;
    return (await takeLine(deps, { id: callId, reservationId, epoch }, line)) === 'taken';
  }

  return {
    add: (callId, conducted) => void calls.set(callId, conducted),
    remove: (callId) => void calls.delete(callId),
    used(callId, model, outcome) {
      record(callId, model, outcome).catch((error: unknown) =>
        logger.debug({ event: 'breaker.not_recorded', err: error, callId }, 'what a model showed was not recorded'),
      );
    },
    nearLimit(callId, model) {
      lower(callId, model).catch((error: unknown) =>
        logger.debug({ event: 'line.not_lowered', err: error, callId }, 'a line could not be lowered'),
      );
    },
    takeLine: (callId, model) =>
      take(callId, model).catch((error: unknown) => {
        logger.warn({ event: 'call.fallback_without_line', err: error, callId }, 'a fallback got no line');
        return false;
      }),
    openBreakers: () =>
      breakers.open().catch((error: unknown) => {
        logger.warn({ event: 'breaker.check_failed', err: error }, 'the breakers could not be read');
        return [];
      }),
  };
}

/** The models that no open breaker holds back; null if a component has none left. */
export function usableModels(conducted: Conducted, open: readonly OpenBreaker[]): readonly PinnedModel[] | null {
  const isOpen = new Set<BreakerName>(open.filter(({ forMs }) => forMs > 0).map(({ breaker }) => breaker));
  const { models } = conducted;
  const usable = models.filter((model) => !breakerNames(breakersOf(model, conducted)).some((name) => isOpen.has(name)));
  const isComplete = models.every(({ component }) => usable.some((one) => one.component === component));
  return isComplete ? usable : null;
}

function isSame(one: ModelAtCredential, other: ModelAtCredential): boolean {
  return one.component === other.component && one.credentialId === other.credentialId && one.model === other.model;
}
