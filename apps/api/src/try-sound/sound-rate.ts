/** A person speaks in real time: frames that come faster than that by more than a second. */
const MOST_AHEAD_FRAMES = 50;
const FRAMES_A_SECOND = 50;

export interface SoundRate {
  /** Whether so many frames may pass now. */
  takes(frames: number, nowMs: number): boolean;
}

/** Lets pass what comes in real time, and a second beyond it. */
export function createSoundRate(startMs: number): SoundRate {
  let left = MOST_AHEAD_FRAMES;
  let atMs = startMs;
  return {
    takes(frames, nowMs) {
      left = Math.min(MOST_AHEAD_FRAMES, left + ((nowMs - atMs) * FRAMES_A_SECOND) / 1_000);
      atMs = nowMs;
      if (frames > left) return false;
      left -= frames;
      return true;
    },
  };
}
