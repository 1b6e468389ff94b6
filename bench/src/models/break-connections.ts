import type { Server } from 'node:https';

/** 200 ms of sound in base64 and JSON are longer; every other message of the protocol is shorter. */
const SOUND_BYTES = 2_000;
const BREAKS = /[?&]model=(?<model>breaks-after-(?<sounds>\d+)-[^&]*)/;

/** The model whose first connection ends without a word after so many sounds of 200 ms. Two of them differ by `name`. */
export const breakingModel = (sounds: number, name: string): string => `breaks-after-${sounds}-${name}`;

/** Ends the first connection that asks for each breaking model, in the middle of an answer. */
export function breakConnections(server: Server): void {
  const broken = new Set<string>();
  server.prependListener('upgrade', ({ url }, socket) => {
    const { model, sounds } = BREAKS.exec(url ?? '')?.groups ?? {};
    if (model === undefined || broken.has(model)) return;
    broken.add(model);
    let left = Number(sounds);
    const countSound = (bytes: number) => {
      if (bytes < SOUND_BYTES || left <= 0) return;
      left -= 1;
      // What was written is on its way by then.
      if (left === 0) setImmediate(() => socket.destroy());
    };
    const write = socket.write.bind(socket);
    Object.assign(socket, {
      write: (chunk: Uint8Array | string, ...rest: []) => {
        countSound(chunk.length);
        return write(chunk, ...rest);
      },
    });
  });
}
