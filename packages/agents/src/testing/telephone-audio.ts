import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** The telephone band. */
const LOWEST_HZ = 300;
const HIGHEST_HZ = 3_400;
const MU = 255;
const FULL_SCALE = 32_768;

/** Sound as a telephone network delivers it: band-limited, and companded to eight bits (µ-law). */
export function asTelephoneAudio(sound: Int16Array): Int16Array {
  const high = biquad('high', LOWEST_HZ);
  const low = biquad('low', HIGHEST_HZ);
  return Int16Array.from(sound, (sample) => companded(low(high(sample))));
}

/** A second-order Butterworth filter (bilinear transform). */
function biquad(kind: 'high' | 'low', hz: number): (sample: number) => number {
  const warped = Math.tan((Math.PI * hz) / SAMPLE_RATE_HZ);
  const scale = 1 / (1 + Math.SQRT2 * warped + warped * warped);
  const gain = kind === 'low' ? warped * warped * scale : scale;
  const middle = kind === 'low' ? 2 : -2;
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (sample) => {
    const fed = 2 * (warped * warped - 1) * scale * out1 + (1 - Math.SQRT2 * warped + warped * warped) * scale * out2;
    const out = gain * (sample + middle * in1 + in2) - fed;
    [in2, in1, out2, out1] = [in1, sample, out1, out];
    return out;
  };
}

/** Continuous µ-law, quantized to 8 bits, which G.711 approximates by segments. */
function companded(sample: number): number {
  const share = Math.min(1, Math.abs(sample) / FULL_SCALE);
  const code = Math.round((127 * Math.log1p(MU * share)) / Math.log1p(MU));
  return Math.round(Math.sign(sample) * ((Math.expm1((code / 127) * Math.log1p(MU)) / MU) * (FULL_SCALE - 1)));
}
