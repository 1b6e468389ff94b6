/** The end of a connection, which may come before what it is for exists. */
export interface Ending<Reason> {
  end(reason: Reason): void;
  onEnd(listener: (reason: Reason) => void): void;
}

export function createEnding<Reason>(): Ending<Reason> {
  let ended: Reason | null = null;
  let listener: ((reason: Reason) => void) | undefined;
  return {
    end(reason) {
      ended ??= reason;
      listener?.(ended);
    },
    onEnd(newListener) {
      listener = newListener;
      if (ended !== null) newListener(ended);
    },
  };
}
