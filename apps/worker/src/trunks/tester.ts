import type { Trunk, TrunkDirectory } from '@outdial/calls';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { DueTrunkTest, TrunkTestResult, TrunkTests } from '@outdial/persistence';
import type { UserAgent } from '@outdial/sip';
import { trunkTarget } from '@outdial/telephony';

export interface TrunkTesterOptions {
  readonly tests: TrunkTests;
  readonly trunks: TrunkDirectory;
  readonly userAgent: Pick<UserAgent, 'options'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends an OPTIONS to each trunk that an operator wants to test, from this worker's network. */
export interface TrunkTester {
  /** Starts the tests that are due; a single test may take half a minute. */
  look(): Promise<void>;
}

/** A worker's list of trunks is at most half a second old. */
const KNOWN_WITHIN_MS = 1_000;

export function createTrunkTester(options: TrunkTesterOptions): TrunkTester {
  const { tests, trunks, workerId, logger } = options;

  async function run(test: DueTrunkTest, trunk: Trunk | undefined): Promise<void> {
    try {
      await tests.save(test, await ask(options, trunk));
    } catch (error) {
      logger.warn(
        { event: 'trunk_test.save_failed', err: error, trunk: test.trunk },
        'the result of a trunk test was not saved',
      );
    }
  }

  return {
    async look() {
      const due = await tests.due(workerId);
      if (due.length === 0) return;
      const known = new Map((await trunks.all()).map((trunk) => [trunk.name, trunk]));
      for (const test of due) {
        const trunk = known.get(test.trunk);
        // The trunk may have been added a moment ago: the next look finds it.
        if (trunk === undefined && test.ageMs < KNOWN_WITHIN_MS) continue;
        // Saved first: the next look must not start the same test again.
        await tests.save(test, { workerId, state: 'asking', detail: null, tookMs: null });
        void run(test, trunk);
      }
    },
  };
}

async function ask(
  { userAgent, workerId, clock }: TrunkTesterOptions,
  trunk: Trunk | undefined,
): Promise<TrunkTestResult> {
  if (trunk === undefined) {
    const detail =
      'This worker cannot read the password of the trunk: it was sealed with another OUTDIAL_SECRET_KEY. Save the password again.';
    return { workerId, state: 'unsent', detail, tookMs: null };
  }
  const startedMs = clock.monotonicMs();
  let target: ReturnType<typeof trunkTarget>;
  try {
    target = trunkTarget(trunk);
  } catch (error) {
    return { workerId, state: 'unsent', detail: error instanceof Error ? error.message : String(error), tookMs: null };
  }
  const outcome = await userAgent.options(target);
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  switch (outcome.kind) {
    case 'answered':
      return { workerId, state: 'answered', detail: `SIP ${outcome.sipCode}`, tookMs: Math.round(outcome.roundTripMs) };
    case 'silent':
      return { workerId, state: 'silent', detail: 'No answer to OPTIONS.', tookMs };
    case 'unsent':
      return { workerId, state: 'unsent', detail: outcome.detail, tookMs };
    default:
      return unreachable(outcome);
  }
}
