import { afterEach, beforeEach } from 'vitest';

/** What a conformance suite opens for each of its tests. */
export interface Stage {
  readonly close: () => Promise<void>;
}

/** Opens a stage before each test and closes it afterwards. Call it inside `describe`, and its result inside tests. */
export function stageForEach<S extends Stage>(open: () => Promise<S>): () => S {
  let stage: S | undefined;
  beforeEach(async () => {
    stage = await open();
  });
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });
  return () => {
    if (!stage) throw new Error('a stage is for use inside tests');
    return stage;
  };
}
