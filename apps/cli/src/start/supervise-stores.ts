import { join } from 'node:path';
import type { Clock } from '@outdial/kernel';
import type { LocalStores, StoreName } from '@outdial/local-stores';
import { CliError } from '../cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { endText } from './end-text.ts';

export interface KeepStoresInput {
  readonly stores: Pick<LocalStores, 'onExit' | 'restart'>;
  /** The folder with the stores' logs. */
  readonly dataDir: string;
  readonly terminal: Terminal;
  readonly clock: Clock;
}

const NAMES = { redis: 'Redis', postgres: 'Postgres' } as const satisfies Record<StoreName, string>;
const RESTARTS = 3;
const WITHIN_MS = 60_000;

/**
 * Restarts a store that ends by itself, and prints a line when it ends and a line when it is back.
 *
 * @returns a promise of the sentence to report once a store does not stay up.
 */
export function superviseStores({ stores, dataDir, terminal, clock }: KeepStoresInput): Promise<Error> {
  return new Promise((giveUp) => {
    const restartedAtMs: Record<StoreName, number[]> = { redis: [], postgres: [] };

    async function startAgain(store: StoreName): Promise<void> {
      try {
        await stores.restart(store);
        terminal.print(terminal.paint.good(`${NAMES[store]} is back.`));
      } catch (error) {
        giveUp(error instanceof Error ? error : new Error(String(error)));
      }
    }

    stores.onExit((store, end) => {
      const nowMs = clock.monotonicMs();
      const lately = restartedAtMs[store].filter((atMs) => nowMs - atMs < WITHIN_MS);
      restartedAtMs[store] = [...lately, nowMs];
      const ended = `${NAMES[store]} ended (${endText(end)})`;
      if (lately.length < RESTARTS) {
        terminal.print(terminal.paint.warning(`${ended}; restarting it.`));
        void startAgain(store);
        return;
      }
      const log = join(dataDir, store, `${store}.log`);
      giveUp(
        new CliError(
          `${ended} for the fourth time within a minute: see ${log} for why, and start again once that is fixed.`,
        ),
      );
    });
  });
}
