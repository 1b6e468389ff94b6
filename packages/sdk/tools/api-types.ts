import { text } from 'node:stream/consumers';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEADER = '// Generated from openapi.json by `npm run docs:reference`. Do not edit.\n';

const BULK = /^(?:examples?|headers|[45]\d\d)$/;

/** Reads an OpenAPI document on stdin, and writes the types of its requests and of its answers of success. */
process.stdout.write(await apiTypes(JSON.parse(await text(process.stdin))));

async function apiTypes(document: Readonly<Record<string, unknown>>): Promise<string> {
  const { paths, components, ...rest } = document;
  const short: OpenAPI3 = JSON.parse(JSON.stringify({ ...rest, components, paths: withoutBulk(paths) }));
  // What has a default may be left out of a request.
  return `${HEADER}${astToString(await openapiTS(short, { defaultNonNullable: false }))}`;
}

/** The SDK has classes for errors, and examples are for readers of the reference. */
function withoutBulk(paths: unknown): unknown {
  return JSON.parse(JSON.stringify(paths), (key, value: unknown) => (BULK.test(key) ? undefined : value));
}
