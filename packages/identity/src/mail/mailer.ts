/** A message to one person, in plain text. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** What it is about; also in the text. */
  readonly link: string;
}

/** Sends letters. */
export interface Mailer {
  /** Rejects if the letter was not handed over, with an error that does not say to whom. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** Enough of an address to tell it apart in a log, and not the whole. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(1, at))}…${email.slice(at)}`;
}
