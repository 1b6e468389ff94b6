/** What runs in a browser: the same reading, of a file's first lines. */
export { contactColumns, usualColumns, type ContactColumns } from './contact-columns.ts';
export { contactReader, type ContactProblem } from './contact-reader.ts';
export { ContactFileRefused } from './file-refusal.ts';
export { numberReader } from './number-of.ts';
export { readHead, type FileHead, type ReadableFile } from './read-head.ts';
export type { Row } from './row-options.ts';
export { countryCodes } from './country-codes.ts';
