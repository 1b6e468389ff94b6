/** The position up to which a client has received all changes. */
export interface ChangePosition {
  /** The history (one promotion of Postgres starts another) that the id belongs to. */
  readonly history: string;
  readonly id: bigint;
}

const FORM = /^([0-9A-F]{8})-(\d{1,18})$/;

/** The form in which a stream's event ids carry it. */
export function writePosition({ history, id }: ChangePosition): string {
  return `${history}-${id}`;
}

/** Null for text that this format did not produce. */
export function readPosition(text: string): ChangePosition | null {
  const [, history, id] = FORM.exec(text) ?? [];
  return history === undefined || id === undefined ? null : { history, id: BigInt(id) };
}
