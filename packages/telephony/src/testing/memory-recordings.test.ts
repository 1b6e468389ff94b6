import { describeRecordingStore } from '@outdial/calls/testing';
import { MemoryRecordings } from './memory-recordings.ts';

describeRecordingStore('in memory', async () => ({
  store: new MemoryRecordings(),
  deliver: async () => undefined,
  samplesOf: (bytes) => new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
  close: async () => undefined,
}));
