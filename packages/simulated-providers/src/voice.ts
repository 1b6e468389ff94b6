/** The provider's voice: 8 kHz mono. The same samples for the same text: read them, do not write to them. */
export type SpeakText = (text: string) => Promise<Int16Array>;
