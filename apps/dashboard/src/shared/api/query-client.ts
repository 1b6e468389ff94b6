import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** What trying again may mend. A refusal stays one. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);
}

const RETRIES = 2;

/** `onSignedOut`: an answer said that nobody is signed in any more. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        retryDelay: (failures, error) =>
          error instanceof ApiError && error.retryAfterSeconds !== undefined
            ? Math.min(error.retryAfterSeconds, 10) * 1_000
            : 500 * 2 ** failures,
      },
      // What changes something is repeated by people alone.
      mutations: { retry: false },
    },
  });
}
