// oxlint-disable-next-line typescript/triple-slash-reference -- the declaration of an untyped package has nothing to import
/// <reference path="./fvad-wasm.d.ts" />
import loadFvad, { type FvadLibrary } from '@echogarden/fvad-wasm';
import { FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';
import { invariant } from '@outdial/kernel';

/** Distinguishes speech from other sound by its spectrum; has the state of one call. */
export interface VoiceDetector {
  isVoice(frame: Frame): boolean;
  /** Frees its memory. It must not be used afterwards. */
  free(): void;
}

export type VoiceDetectors = () => VoiceDetector;

/** Aggressiveness, 0 to 3: how strictly it filters out non-speech. */
const MAX_AGGRESSIVENESS = 3;

let loaded: Promise<VoiceDetectors> | undefined;

/** Loads WebRTC's voice activity detection, once for all calls of a thread. */
export function loadVoiceDetectors(): Promise<VoiceDetectors> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<VoiceDetectors> {
  const fvad = bind(await loadFvad());
  // All calls of a thread are processed in sequence, so they share the input buffer.
  const buffer = fvad.allocate(FRAME_SAMPLES * Int16Array.BYTES_PER_ELEMENT);
  invariant(buffer !== 0, 'the voice detector has no memory for a frame');
  return () => createVoiceDetector(fvad, buffer);
}

type Fvad = ReturnType<typeof bind>;

/** The functions of fvad.h. Detectors are addresses; `process` returns 1 for speech and 0 otherwise, the rest 0 for success. */
function bind(library: FvadLibrary) {
  return {
    // Read each time: the view is replaced when the library's memory grows.
    memory: () => library.HEAP16,
    allocate: library.cwrap('malloc', 'number', ['number']),
    create: library.cwrap('fvad_new', 'number', []),
    free: library.cwrap('fvad_free', 'number', ['number']),
    setMode: library.cwrap('fvad_set_mode', 'number', ['number', 'number']),
    setSampleRate: library.cwrap('fvad_set_sample_rate', 'number', ['number', 'number']),
    process: library.cwrap('fvad_process', 'number', ['number', 'number', 'number']),
  };
}

function createVoiceDetector(fvad: Fvad, buffer: number): VoiceDetector {
  const detector = fvad.create();
  invariant(detector !== 0, 'the voice detector has no memory for another call');
  invariant(fvad.setMode(detector, MAX_AGGRESSIVENESS) === 0, 'the voice detector rejected its mode');
  invariant(fvad.setSampleRate(detector, SAMPLE_RATE_HZ) === 0, 'the voice detector rejected the sample rate');
  return {
    isVoice(frame) {
      fvad.memory().set(frame, buffer / Int16Array.BYTES_PER_ELEMENT);
      return fvad.process(detector, buffer, FRAME_SAMPLES) === 1;
    },
    free() {
      fvad.free(detector);
    },
  };
}
