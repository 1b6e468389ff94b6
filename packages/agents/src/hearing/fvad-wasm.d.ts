declare module '@echogarden/fvad-wasm' {
  /** libfvad as emscripten built it: functions of C over one memory. */
  export interface FvadLibrary {
    readonly HEAP16: Int16Array;
    /** A C function by its name. Every one that is used here takes and gives integers or addresses. */
    cwrap(
      name: string,
      result: 'number',
      parameters: readonly 'number'[],
    ): (...parameters: readonly number[]) => number;
  }
  export default function load(): Promise<FvadLibrary>;
}
