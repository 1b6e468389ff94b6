import type { AnalysisJob } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { analyzeCall, type JobEnd } from './analyze-call.ts';
import { ANALYSIS_TIMINGS, type AnalysisDeps } from './ports.ts';
import type { Shares } from './shares.ts';

/** How soon a newcomer is seen while the accounts that have their share wait for a place. */
const LOOK_AGAIN_MS = 1_000;

type Choice =
  | { readonly kind: 'claimed'; readonly job: AnalysisJob; readonly give: () => void }
  /** Another worker was faster. */
  | { readonly kind: 'missed' }
  /** All analyses that are due are of accounts that have their share. */
  | { readonly kind: 'full' }
  | { readonly kind: 'nothing_due' };

/**
 * Analyzes one call: that of the account whose turn it is. A job asks for one analysis, of that call or of another.
 * May run anywhere at the same time: the lease lets one try work, and the statement that ends the analysis charges once.
 *
 * @param jobId the call that the job is named after
 * @param stopping gives the call back for another worker
 */
export async function analyzeNext(
  deps: AnalysisDeps,
  shares: Shares,
  jobId: CallId,
  stopping: AbortSignal,
): Promise<JobEnd> {
  while (!stopping.aborted) {
    const choice = await shares.inTurn(() => choose(deps, shares));
    switch (choice.kind) {
      case 'claimed':
        return analyzeCall(deps, choice.job, stopping).finally(choice.give);
      case 'missed':
        break;
      case 'full':
        await shares.freed(LOOK_AGAIN_MS, stopping);
        break;
      case 'nothing_due': {
        const waitMs = await deps.store.waitOf(jobId);
        return waitMs === null ? { kind: 'done' } : { kind: 'later', afterMs: Math.max(1, waitMs) };
      }
      default:
        return unreachable(choice);
    }
  }
  return { kind: 'later', afterMs: LOOK_AGAIN_MS };
}

async function choose({ store, timings = ANALYSIS_TIMINGS }: AnalysisDeps, shares: Shares): Promise<Choice> {
  const full = shares.full();
  const callId = await store.next({ after: shares.last(), except: full });
  if (callId === null) {
    const isDue = full.length > 0 && (await store.next({ after: null, except: [] })) !== null;
    return { kind: isDue ? 'full' : 'nothing_due' };
  }
  const claim = await store.claim({ callId, leaseMs: timings.leaseMs });
  if (claim.kind !== 'claimed') return { kind: 'missed' };
  return { kind: 'claimed', job: claim.job, give: shares.take(claim.job.accountId) };
}
