/** Up to where somebody has been told of all changes. */
export interface ChangePosition {
  /** Which course of events the id belongs to. */
  readonly history: string;
  readonly id: bigint;
}

const FORM = /^([0-9A-F]{8})-(\d{1,18})$/;

/** As a stream's event ids carry it. */
export function writePosition({ history, id }: ChangePosition): string {
  return `${history}-${id}`;
}

/** Null for anything that was not written here: nothing is known of it. */
export function readPosition(text: string): ChangePosition | null {
  const [, history, id] = FORM.exec(text) ?? [];
  return history === undefined || id === undefined ? null : { history, id: BigInt(id) };
}
