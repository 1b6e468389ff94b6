import { SECRET_REFERENCE } from '@outdial/contracts';

/** The headers in lower case, with the account's secrets filled in. Null: one is missing. */
export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> | null {
  const filled: Record<string, string> = {};
  let isMissing = false;
  for (const [name, value] of Object.entries(headers)) {
    filled[name.toLowerCase()] = value.replaceAll(SECRET_REFERENCE, (_, secret: string) => {
      const found = secrets.get(secret);
      isMissing ||= found === undefined;
      return found ?? '';
    });
  }
  return isMissing ? null : filled;
}

/** A server may send back what it was sent. One secret may contain another: the rest of the longer one is as secret. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return longestFirst(secrets).reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
}

/** Of a text that ends in the middle, also without the beginning of a secret at its end. */
export function cutWithoutSecrets(text: string, secrets: readonly string[]): string {
  const shown = withoutSecrets(text, secrets);
  return shown.slice(0, shown.length - cutLength(shown, longestFirst(secrets)));
}

/** With the forms that they have in JSON. */
function longestFirst(secrets: readonly string[]): readonly string[] {
  const forms = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, ...formsInJson(secret)]);
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length);
}

/** Encoders escape quotes and backslashes, and some of them slashes and what is not ASCII too. */
function formsInJson(secret: string): readonly string[] {
  const least = JSON.stringify(secret).slice(1, -1);
  const ascii = least.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [least, ascii].flatMap((form) => [form, form.replaceAll('/', String.raw`\/`)]);
}

/** Of how many characters at its end the text may have the beginning of a secret. */
function cutLength(text: string, secrets: readonly string[]): number {
  const lengths = secrets.map((secret) => {
    let length = Math.min(secret.length - 1, text.length);
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1;
    return length;
  });
  return Math.max(0, ...lengths);
}
