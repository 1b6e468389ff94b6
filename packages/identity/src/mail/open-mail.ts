import { invariant, systemClock, type Clock, type Logger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { UnreadableEmail } from './attempt-email.ts';
import { createComposer, type ComposeDeps } from './compose-email.ts';
import type { EmailSeal } from './email-seal.ts';
import { claimEmails, finishEmail, type ClaimedEmail } from './email-store.ts';
import { createMailSender, type EmailOutcome, type MailSender } from './mail-sender.ts';
import type { Email, Mailer } from './mailer.ts';
import { announceNotices, composeNotice } from './notices.ts';
import { createStoredOutbox, createUnstoredOutbox, type Outbox } from './outbox.ts';

export interface OpenMailDeps extends ComposeDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly mailer: Mailer;
  /** Null: there is no mail server. */
  readonly emailSeal: EmailSeal | null;
  readonly onEmailAttempt?: (outcome: EmailOutcome) => void;
  readonly clock?: Clock;
  /** Runs work that no request waits for. */
  readonly inBackground: (work: () => Promise<unknown>) => void;
}

export interface Mail {
  readonly outbox: Outbox;
  /** Null: nothing waits to be sent. */
  readonly sender: MailSender | null;
}

export function openMail(deps: OpenMailDeps): Mail {
  const { database, logger, mailer, emailSeal: seal, clock = systemClock, onEmailAttempt: onAttempt = () => {} } = deps;
  const compose = createComposer(deps);
  if (seal === null) {
    const show = async ({ content }: Parameters<Outbox['committed']>[0]) => {
      const email = await compose(content);
      if (email !== null) await mailer.send(email, '');
    };
    return { outbox: createUnstoredOutbox((email) => deps.inBackground(() => show(email))), sender: null };
  }
  const sender = createMailSender({
    store: {
      claim: (limits) => claimEmails(database, limits),
      finish: (email) => finishEmail(database, email),
      announceNotices: () => announceNotices(database),
    },
    compose: (claimed) => composeClaimed(claimed, seal),
    mailer,
    onAttempt,
    clock,
    logger,
  });
  return { outbox: createStoredOutbox(database, { seal, onWritten: () => sender.hint() }), sender };

  async function composeClaimed(claimed: ClaimedEmail, with_: EmailSeal): Promise<Email | null> {
    const { id, sealed, noticeId, userId } = claimed;
    if (noticeId !== null && userId !== null) return composeNotice(database, deps.publicUrl(), { noticeId, userId });
    invariant(sealed !== null, 'an e-mail that is no notice is sealed');
    const content = with_.open(id, sealed);
    if (content === null) throw new UnreadableEmail('the e-mail was sealed with another key, or by another version');
    return compose(content);
  }
}
