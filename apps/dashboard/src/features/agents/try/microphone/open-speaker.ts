import { SOUND_RATE } from './sound-format.ts';
// oxlint-disable-next-line import/default -- Vite bundles the module and exports its address
import playbackUrl from './playback.worklet.ts?worker&url';
import type { Speaker } from './ports.ts';

/** Plays the agent. Call it in a click. @param onLevel how loud it is, from 0 to 100 */
export async function openSpeaker(onLevel: (level: number) => void): Promise<Speaker> {
  const context = new AudioContext({ sampleRate: SOUND_RATE });
  const close = () => void context.close();
  try {
    await context.audioWorklet.addModule(playbackUrl);
    const node = new AudioWorkletNode(context, 'playback', { numberOfInputs: 0, outputChannelCount: [1] });
    node.port.addEventListener('message', ({ data }) => onLevel(Number(data)));
    node.port.start();
    node.connect(context.destination);
    await context.resume();
    return { play: (ulaw) => node.port.postMessage(ulaw, []), clear: () => node.port.postMessage('clear', []), close };
  } catch (error) {
    close();
    throw error;
  }
}
