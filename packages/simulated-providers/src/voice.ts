/** The provider's voice: 8 kHz mono. The same samples for the same text, which nobody writes into. */
export type SpeakText = (text: string) => Promise<Int16Array>;
