/**
 * `TRY_SOUND` of the contracts, for the code of worklets: they would load all contracts with it.
 */
export const SOUND_RATE = 8_000;
export const FRAME_BYTES = 160;
