export type { Contact, ContactProblem, ContactRules } from './contact-reader.ts';
export { ContactFileRefused } from './file-refusal.ts';
export { readContacts, MOST_LINES_OF_A_BATCH, type ContactBatch, type ContactFileInput } from './read-contacts.ts';
