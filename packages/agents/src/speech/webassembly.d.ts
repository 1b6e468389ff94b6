/** The part of the WebAssembly interface used here: Node's types lack it, and the DOM library includes too much. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  const Memory: new (descriptor: { readonly initial: number }) => Memory;
  const Module: new (bytes: Uint8Array) => Module;
  const Instance: new (module: Module, imports: Imports) => Instance;
}
