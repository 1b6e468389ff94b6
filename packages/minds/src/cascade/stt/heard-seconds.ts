import type { UsageEntry } from '../../mind.ts';

const BYTES_PER_SECOND = 8_000;
/** A worker that is lost leaves at most this much unreported. */
const REPORTED_SECONDS = 10;

/** The sound that a provider was sent, which is what it bills. */
export class HeardSeconds {
  readonly #entry: Pick<UsageEntry, 'provider' | 'model'>;
  readonly #emit: (entries: readonly UsageEntry[]) => void;
  #bytes = 0;

  constructor(entry: Pick<UsageEntry, 'provider' | 'model'>, emit: (entries: readonly UsageEntry[]) => void) {
    this.#entry = entry;
    this.#emit = emit;
  }

  sent(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= REPORTED_SECONDS * BYTES_PER_SECOND) this.report();
  }

  report(): void {
    if (this.#bytes === 0) return;
    const quantity = this.#bytes / BYTES_PER_SECOND;
    this.#bytes = 0;
    this.#emit([{ component: 'stt', ...this.#entry, unit: 'second', quantity }]);
  }
}
