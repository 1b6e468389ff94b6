import type { WebhookApiVersion } from '@outdial/contracts';

/** Turns a parsed body of one version into the one before it. Pure, with a golden file for its result. */
export interface StepBack<Version extends string = WebhookApiVersion> {
  /** The version of the result. */
  readonly to: Version;
  readonly turn: (body: unknown) => unknown;
}

/** From the newest version back. With a new version, the shape before it becomes a step here. */
export const STEPS_BACK: readonly StepBack[] = [];

/** A kept body, which has the newest shape, as an endpoint of this version receives it. Without a step, the same bytes. */
export function inVersion<Version extends string>(
  body: string,
  version: Version,
  { newest, steps }: { readonly newest: Version; readonly steps: readonly StepBack<Version>[] },
): string {
  if (version === newest) return body;
  let parsed: unknown = JSON.parse(body);
  for (const { to, turn } of steps) {
    parsed = turn(parsed);
    if (to === version) return JSON.stringify(parsed);
  }
  throw new RangeError(`no steps lead back to version ${version} of webhooks`);
}
