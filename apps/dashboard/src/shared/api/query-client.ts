import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Whether a retry may succeed. A rejected request stays rejected. */
function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);
}

const RETRIES = 2;

/** `onSignedOut` runs when a response says that the session has ended. */
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
        retry: (failures, error) => failures < RETRIES && isTransient(error),
        retryDelay: (failures, error) =>
          error instanceof ApiError && error.retryAfterSeconds !== undefined
            ? Math.min(error.retryAfterSeconds, 10) * 1_000
            : 500 * 2 ** failures,
      },
      // Only the user repeats a request that changes something.
      mutations: { retry: false },
    },
  });
}
