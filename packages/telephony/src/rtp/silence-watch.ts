import { FRAME_MS } from '@outdial/calls';

/**
 * Detects that no packets arrive. It counts ticks, not time: after a stall, packets that wait in the socket are read
 * before the silence is long enough.
 */
export class SilenceWatch {
  readonly #longestTicks: number;
  #ticks = 0;

  constructor(longestMs: number) {
    this.#longestTicks = Math.ceil(longestMs / FRAME_MS);
  }

  heard(): void {
    this.#ticks = 0;
  }

  /** True in the one tick in which the silence has become too long. `awaited`: the far end should send. */
  tick(awaited: boolean): boolean {
    this.#ticks = awaited ? this.#ticks + 1 : 0;
    return this.#ticks === this.#longestTicks;
  }
}
