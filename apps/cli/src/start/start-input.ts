import type { Clock } from '@outdial/kernel';
import type { Terminal } from '../terminal/terminal.ts';
import type { Cleanup } from './cleanup.ts';
import type { StartConfig } from './config.ts';
import type { StartOptions } from './options.ts';
import type { StopSignals } from './stop-signals.ts';

export interface Output {
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** What a start works with. */
export interface StartInput extends Output {
  readonly options: StartOptions;
  readonly config: StartConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly stop: StopSignals;
  /** Collects the steps to undo, in the order in which they were done. */
  readonly cleanup: Cleanup;
}
