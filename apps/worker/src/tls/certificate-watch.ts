import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from '../loops/loop.ts';
import type { TlsIdentity, TlsServer } from './server.ts';

/** A renewal is in use within about this time: weeks before the certificate that it replaces expires. */
const LOOK_INTERVAL_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Automatic renewal happens earlier: from this point on it has failed. */
const WARN_BEFORE_MS = 14 * DAY_MS;

export interface CertificateWatchOptions extends Pick<TlsServer, 'identity' | 'reread'> {
  /** Presents the certificate to new connections. Throws if it cannot be used. */
  readonly use: (identity: TlsIdentity) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Loads a renewed certificate, and warns when none has come in time. */
export interface CertificateWatch {
  /** When the certificate in use expires. */
  expiresAtMs(): number;
  start(): Loop;
}

/**
 * Reads the files periodically. File notifications would miss the changes that matter: a renewal is renamed into place,
 * or a symbolic link is switched to it.
 */
export function createCertificateWatch(options: CertificateWatchOptions): CertificateWatch {
  const { reread, use, clock, logger } = options;
  let inUse = options.identity;
  let complaint: string | null = null;
  let warnAgainAtMs = Number.NEGATIVE_INFINITY;

  async function takeUp(): Promise<void> {
    const found = await reread();
    if (found.cert.equals(inUse.cert) && found.key.equals(inUse.key)) return;
    use(found);
    inUse = found;
    warnAgainAtMs = Number.NEGATIVE_INFINITY;
    logger.info(
      { event: 'certificate.renewed', ...describe(found) },
      'a renewed certificate for SIP over TLS is in use',
    );
  }

  /** An unusable file may be half written: the next check finds it complete. */
  async function takeUpOrComplain(): Promise<void> {
    try {
      await takeUp();
      complaint = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === complaint) return;
      complaint = reason;
      logger.warn(
        { event: 'certificate.unusable', reason, inUse: describe(inUse) },
        'the new certificate for SIP over TLS cannot be used',
      );
    }
  }

  function warnOfExpiry(): void {
    const leftMs = inUse.expiresAtMs - clock.nowMs();
    if (leftMs > WARN_BEFORE_MS || clock.monotonicMs() < warnAgainAtMs) return;
    warnAgainAtMs = clock.monotonicMs() + DAY_MS;
    const [event, what] =
      leftMs > 0
        ? (['certificate.expiring', 'expires within two weeks'] as const)
        : (['certificate.expired', 'has expired'] as const);
    logger.warn({ event, ...describe(inUse) }, `the certificate for SIP over TLS ${what}`);
  }

  const look = async () => {
    await takeUpOrComplain();
    warnOfExpiry();
  };
  const loop = { name: 'certificate', intervalMs: LOOK_INTERVAL_MS, round: look, clock, logger, random: Math.random };
  return { expiresAtMs: () => inUse.expiresAtMs, start: () => startLoop(loop) };
}

function describe({ subject, expiresAtMs }: TlsIdentity) {
  return { subject, notAfter: new Date(expiresAtMs).toISOString() };
}
