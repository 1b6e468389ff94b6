import { join, resolve } from 'node:path';

export const DEFAULT_DATA_DIR = '.data';

/** The files that an instance keeps between starts, beside its stores' data. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly keyPepperPath: string;
  readonly secretKeyPath: string;
  /** The running instance's address; the file exists only while the instance runs. */
  readonly instancePath: string;
  readonly demoPath: string;
}

export function dataFolderAt(dir: string): DataFolder {
  const path = resolve(dir);
  return {
    path,
    keyPepperPath: join(path, 'key-pepper'),
    secretKeyPath: join(path, 'secret-key'),
    instancePath: join(path, 'instance.json'),
    demoPath: join(path, 'demo.json'),
  };
}
