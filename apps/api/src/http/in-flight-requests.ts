/**
 * Counts requests from their arrival to their end, so that the stores are closed after the last of them. The server
 * counts connections, but the request of a client that disconnected is still being processed.
 */
export interface InFlightRequests {
  begin(): void;
  end(): void;
  /** Resolves when no request is in flight. */
  none(): Promise<void>;
}

export function createInFlightRequests(): InFlightRequests {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      count += 1;
    },
    end() {
      count -= 1;
      if (count > 0) return;
      for (const wake of waiting) wake();
      waiting = [];
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
