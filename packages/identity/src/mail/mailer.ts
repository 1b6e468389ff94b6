/** An e-mail to one person, in plain text. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The link that the e-mail is about; the text contains it too. */
  readonly link: string;
}

export interface Mailer {
  /**
   * Rejects if the e-mail was not delivered, with an error that does not contain the recipient. `id` is the same for each
   * attempt, so that mailboxes recognize a repetition.
   */
  send(email: Email, id: string): Promise<void>;
  close(): void;
}

/** Masks an address for the log: the first character and the domain. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(1, at))}…${email.slice(at)}`;
}
