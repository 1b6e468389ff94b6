/** What a test file needs to know to start a service. */
export interface ProvidedServices {
  /** The folder of the services' bundles. */
  readonly bundlesDir: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    outdialServices: ProvidedServices;
  }
}
