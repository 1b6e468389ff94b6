import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { invariant } from '@outdial/kernel';

/** Helmet's headers for an answer that is never a page: it may load nothing, and no page may frame it. */
const CHOICE: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  // These protect documents, and browsers that no longer exist.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** As a flat list of names and values. Every answer has the same ones, so they are computed once. */
export function securityHeaders(): readonly string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const middleware = helmet(CHOICE);
  middleware(response.req, response, (error?: unknown) => invariant(error === undefined, 'helmet sets its headers'));
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
