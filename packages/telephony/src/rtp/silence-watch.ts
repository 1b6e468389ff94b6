import { FRAME_MS } from '@outdial/calls';

/**
 * Notices that nothing comes. It counts ticks, not time: after a stall, what waits in the socket is read before a
 * silence has become long.
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

  /** True in the one tick in which the silence has become too long. `awaited`: the far end is to send. */
  tick(awaited: boolean): boolean {
    this.#ticks = awaited ? this.#ticks + 1 : 0;
    return this.#ticks === this.#longestTicks;
  }
}
