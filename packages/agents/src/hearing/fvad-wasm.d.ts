declare module '@echogarden/fvad-wasm' {
  /** libfvad built with emscripten: C functions over one memory. */
  export interface FvadLibrary {
    readonly HEAP16: Int16Array;
    /** Wraps a C function. The functions used here take and return integers or addresses. */
    cwrap(
      name: string,
      result: 'number',
      parameters: readonly 'number'[],
    ): (...parameters: readonly number[]) => number;
  }
  export default function load(): Promise<FvadLibrary>;
}
