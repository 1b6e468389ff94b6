import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { UnreadableEmail } from './attempt-email.ts';
import { DeliveryError } from './delivery-error.ts';
import type { ClaimedEmail, ClaimLimits, FinishedEmail } from './email-store.ts';
import { createMailSender, type EmailOutcome } from './mail-sender.ts';
import type { Email } from './mailer.ts';
import { delayAfter, MAX_ATTEMPTS } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;
const claimed = (part: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  id: 'one',
  kind: 'password_reset',
  accountId: null,
  sealed: new Uint8Array(),
  noticeId: null,
  userId: null,
  attempts: 1,
  expiresInMs: HOUR_MS,
  ...part,
});
const written: Email = { to: 'kim@example.com', subject: 'Hello', text: 'Hello', link: 'http://localhost' };

/** A sender whose store has these e-mails due at once. */
function stage(
  due: readonly ClaimedEmail[],
  deliver: (id: string) => Promise<void>,
  compose: () => Promise<Email | null> = async () => written,
) {
  const clock = fakeClock();
  const finished: FinishedEmail[] = [];
  const outcomes: EmailOutcome[] = [];
  const limits: ClaimLimits[] = [];
  const lines: { readonly event?: string }[] = [];
  const waiting = [...due];
  const sender = createMailSender({
    store: {
      async claim(given) {
        limits.push({ ...given, inFlight: new Map(given.inFlight) });
        return { emails: waiting.splice(0, given.most), lastAccount: null };
      },
      finish: async (email) => void finished.push(email),
      announceNotices: async () => 0,
    },
    compose,
    mailer: { send: (_email, id) => deliver(id), close: () => undefined },
    onAttempt: (outcome) => void outcomes.push(outcome),
    clock,
    logger: createLogger({
      name: 'test',
      level: 'info',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    }),
  });
  sender.start();
  return { clock, sender, finished, outcomes, limits, lines };
}

const unreadable = async () => {
  throw new UnreadableEmail('another key');
};
const neverAnswered = () => new Promise<void>(() => undefined);
const rejected = (command: string, response: string) => async () => {
  throw new DeliveryError({ code: 'EENVELOPE', command, response });
};

test('an e-mail that the server takes is sent once', async () => {
  const { clock, finished, outcomes } = stage([claimed()], async () => undefined);
  await clock.advance(5_000);
  expect(finished).toEqual([{ id: 'one', attempts: 1, outcome: 'sent' }]);
  expect(outcomes).toEqual(['sent']);
});

test('an e-mail with a link that no longer works is dropped', async () => {
  const sent: string[] = [];
  const deliver = async (id: string) => void sent.push(id);
  const { clock, outcomes } = stage([claimed()], deliver, async () => null);
  await clock.advance(1_000);
  expect([sent, outcomes]).toEqual([[], ['dropped']]);
});

test.each([
  ['a server that does not answer', rejected('CONN', '')],
  ['a rejection for now', rejected('RCPT TO', '451 4.7.1 later')],
  ['a wrong password of ours', rejected('AUTH PLAIN', '535 5.7.8 no')],
])('after %s the e-mail is sent again, within a minute at first', async (_, deliver) => {
  const { clock, finished, lines } = stage([claimed()], deliver);
  await clock.advance(1_000);
  expect(finished).toMatchObject([{ outcome: { dueInMs: expect.any(Number) } }]);
  const [{ outcome } = { outcome: 'sent' as const }] = finished;
  expect(typeof outcome === 'object' && outcome.dueInMs).toBeLessThanOrEqual(60_000);
  expect(lines.map(({ event }) => event)).toEqual(['email.not_delivered']);
});

test('an outage of the mail server is one log line when it begins, and one when it ends', async () => {
  let isAway = true;
  const deliver = async () => {
    if (isAway) throw new DeliveryError({ code: 'ECONNECTION', command: 'CONN' });
  };
  const due = Array.from({ length: 24 }, (_, n) => claimed({ id: String(n) }));
  const { clock, outcomes, lines } = stage(due, deliver);
  await expect.poll(() => outcomes.length).toBe(8);
  isAway = false;
  await clock.advance(5_000);
  expect(outcomes).toHaveLength(24);
  expect(lines.map(({ event }) => event)).toEqual(['email.not_delivered', 'email.delivered_again']);
});

test('an e-mail that this process cannot read waits for another process, however often it was claimed', async () => {
  const due = [claimed({ attempts: MAX_ATTEMPTS }), claimed({ id: 'two', expiresInMs: 5_000 })];
  const { clock, finished, lines } = stage(due, async () => undefined, unreadable);
  await clock.advance(1_000);
  expect(finished.map(({ outcome }) => outcome)).toEqual([1, 2].map(() => ({ dueInMs: 30_000, isUnread: true })));
  expect(lines.map(({ event }) => event)).toEqual(['email.unreadable']);
});

test.each([
  ['its recipient is rejected', claimed(), rejected('RCPT TO', '550 5.1.1 unknown')],
  ['its last attempt fails', claimed({ attempts: MAX_ATTEMPTS }), rejected('CONN', '')],
  ['its link expires before the next attempt', claimed({ expiresInMs: 5_000 }), rejected('CONN', '')],
  ['its link has expired', claimed({ attempts: 3, expiresInMs: -1 }), async () => undefined],
  ['its processes ended during all attempts', claimed({ attempts: MAX_ATTEMPTS + 1 }), async () => undefined],
])('an e-mail is given up once, with a log line, when %s', async (_, email, deliver) => {
  const { clock, finished, outcomes, lines } = stage([email], deliver);
  await clock.advance(1_000);
  expect(finished).toMatchObject([{ outcome: 'failed' }]);
  expect(outcomes).toEqual(['failed']);
  expect(lines.map(({ event }) => event)).toEqual(['email.given_up']);
});

test('a server that takes connections and says nothing holds an attempt up for half a minute at most', async () => {
  const { clock, finished } = stage([claimed()], neverAnswered);
  await clock.advance(29_000);
  expect(finished).toEqual([]);
  await clock.advance(2_000);
  await expect.poll(() => finished).toMatchObject([{ outcome: { dueInMs: expect.any(Number) } }]);
});

test('the next round takes less of an account, and of accounts, while their e-mails hang', async () => {
  const due = ['1', '2'].map((id) => claimed({ id, accountId: 'busy' }));
  const { clock, limits } = stage(due, neverAnswered);
  await clock.advance(1_500);
  expect(limits[0]).toMatchObject({ most: 8, mostOfAccounts: 4 });
  expect(limits.at(-1)).toMatchObject({ most: 6, mostOfAccounts: 2, inFlight: new Map([['busy', 2]]) });
});

test('a sender that stops claims nothing more, and does not wait for a server that hangs', async () => {
  const { clock, sender, limits } = stage([claimed()], neverAnswered);
  await clock.advance(1_000);
  const before = limits.length;
  const stopped = sender.stop();
  await clock.advance(2_000);
  await stopped;
  await clock.advance(10_000);
  expect(limits).toHaveLength(before);
});

test('the attempts of a link of an hour come often enough for a server that is back after a few minutes', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((attempts) => delayAfter(attempts, 1) ?? Infinity);
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(HOUR_MS);
  expect(Math.max(...delays)).toBeLessThan(HOUR_MS / 2);
  expect(delayAfter(MAX_ATTEMPTS, 0.5)).toBeNull();
});
