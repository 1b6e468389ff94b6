import { partNote, sayNote, sayPartsNote } from '../notes.ts';
import { partsOf } from './context.ts';

/** The notes with which a model is asked to say a text: the last is the request, those before it have what did not fit. */
export function sayNotes(text: string): readonly string[] {
  const parts = partsOf(text);
  return parts.length === 1
    ? [sayNote(text)]
    : parts.map((part, index) => (index === parts.length - 1 ? sayPartsNote(part) : partNote(part)));
}
