import { parentPort } from 'node:worker_threads';
import type { EngineReply, EngineRequest } from './engine-protocol.ts';
import { loadFlite } from './flite.ts';

/** Entry of the engine's thread: speaks the posted texts. */
const port = parentPort;
if (port === null) throw new Error('flite-thread must be started as a worker thread');

const speak = loadFlite();
port.on('message', (request: EngineRequest) => {
  try {
    const samples = speak(request.text, request.voice);
    const reply: EngineReply = { kind: 'spoken', samples };
    port.postMessage(reply, [samples.buffer]);
  } catch (error) {
    const reply: EngineReply = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    port.postMessage(reply);
  }
});
