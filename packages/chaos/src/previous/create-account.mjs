// Creates an account of a stack with the code of another version: `node create-account.mjs <input as JSON>`. Today's code need
// not work with that version's schema.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { root, databaseUrl, pepperHex, receiversUrl, options } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(root, path)).href);
const [{ createDatabase }, { parseKeyPepper }, { createAccount }] = await Promise.all([
  load('packages/persistence/dist/index.js'),
  load('packages/secrets/dist/index.js'),
  load('packages/chaos/dist/stack/account.js'),
]);

let secret = null;
const receivers = {
  open(accountId, given) {
    secret = given;
    return `${receiversUrl}/${accountId}`;
  },
};
const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1, connectTimeoutMs: 60_000 });
const { balanceMicros, ...others } = options;
const account = await createAccount(
  { database, pepper: parseKeyPepper(pepperHex), receivers },
  { ...others, ...(balanceMicros !== undefined && { balanceMicros: BigInt(balanceMicros) }) },
);
await database.close();
process.stdout.write(`${JSON.stringify({ account, secret })}\n`);
process.exit(0);
