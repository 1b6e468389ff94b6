// oxlint-disable-next-line import/default -- Vite bundles the module and exports its address
import captureUrl from './capture.worklet.ts?worker&url';
import { MicrophoneError, type Microphone, type MicrophoneListener, type MicrophoneProblem } from './ports.ts';

/** What the agent says must not come back through the microphone: it would interrupt itself. */
const WANTED = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true } as const;

/**
 * Asks the person for the microphone, and listens until it is closed. Call it in a click.
 * @throws MicrophoneError
 */
export async function openMicrophone(listener: MicrophoneListener): Promise<Microphone> {
  const stream = await streamOf();
  const context = new AudioContext();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  for (const track of stream.getTracks()) track.addEventListener('ended', listener.onLost);
  try {
    await context.audioWorklet.addModule(captureUrl);
    const node = new AudioWorkletNode(context, 'capture', { channelCount: 1, channelCountMode: 'explicit' });
    node.port.addEventListener('message', ({ data }) => listener.onSound(data));
    node.port.start();
    // Some browsers run no node that leads nowhere.
    context.createMediaStreamSource(stream).connect(node).connect(context.destination);
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}

async function streamOf(): Promise<MediaStream> {
  // Browsers hide the microphone from pages that came over plain HTTP from another machine.
  if (!isSecureContext || !('mediaDevices' in navigator)) throw new MicrophoneError('insecure');
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: WANTED });
  } catch (error) {
    throw new MicrophoneError(problemOf(error), { cause: error });
  }
}

/** By the names of the specification of `getUserMedia`. */
function problemOf(error: unknown): MicrophoneProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    default:
      return 'busy';
  }
}
