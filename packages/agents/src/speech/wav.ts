export interface Sound {
  readonly samples: Int16Array;
  readonly rateHz: number;
}

/**
 * Parses mono 16-bit PCM from a RIFF file. Throws on other input: the file is the engine's output, so other input means a
 * broken engine. A data size beyond the end is cut to the available bytes.
 */
export function parseWav(file: Buffer): Sound {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('the engine did not write a WAV file');
  }
  let rateHz: number | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ' && body.length >= 16) {
      const [format, channels, bits] = [body.readUInt16LE(0), body.readUInt16LE(2), body.readUInt16LE(14)];
      if (format !== 1 || channels !== 1 || bits !== 16) throw new Error('the engine did not write mono 16-bit PCM');
      rateHz = body.readUInt32LE(4);
    }
    if (name === 'data' && rateHz !== undefined) return { samples: samplesOf(body), rateHz };
    at += 8 + size + (size % 2);
  }
  throw new Error('the engine wrote a WAV file without sound');
}

function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(2 * index);
  return samples;
}
