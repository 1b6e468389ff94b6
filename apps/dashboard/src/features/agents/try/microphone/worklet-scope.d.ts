/** What a module of an AudioWorklet finds in its global scope; TypeScript's library for pages has none of it. */
declare const sampleRate: number;

declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(
    inputs: readonly (readonly Float32Array[])[],
    outputs: readonly (readonly Float32Array[])[],
  ): boolean;
}

declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
