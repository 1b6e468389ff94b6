/** `+12025550143` → `+120•••43`. Enough to recognize a known number, not enough to learn an unknown one. */
export function maskPhoneNumber(phoneNumber: string): string {
  if (phoneNumber.length < 8) return '•••';
  const tail = phoneNumber.slice(-2);
  return `${phoneNumber.slice(0, 4)}•••${tail}`;
}

const PHONE_NUMBER_IN_TEXT = /\+[1-9]\d{6,14}/g;
/** Some providers take their key in the query of a URL. */
const KEY_IN_URL = /([?&](?:api_?)?key=)[^&\s"']+/gi;
const API_KEY_IN_TEXT = /od_live_[0-9A-Za-z]+/g;

/** For text of unknown origin, such as an error message: masks every telephone number and key in it. */
export function redactText(text: string): string {
  return text
    .replace(API_KEY_IN_TEXT, 'od_live_•••')
    .replace(KEY_IN_URL, '$1•••')
    .replace(PHONE_NUMBER_IN_TEXT, maskPhoneNumber);
}
