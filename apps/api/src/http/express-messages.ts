import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for Node's server whose instances are requests and responses of that application from the start.
 *
 * Express otherwise changes the prototype of both for every request. V8 then gives up what it knows of the response's
 * shape: what a request allocates doubles and outlives the collections of short-lived objects, which took a quarter of
 * the time of a create. With the right prototype there already, the change is none.
 *
 * Must be asked for before anything is mounted on `app`: what is mounted takes over the prototypes.
 */
export function expressMessages(app: Express): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Of extends IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
