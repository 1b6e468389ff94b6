import { useEffect, useEffectEvent, useState } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import type { Player } from './player.ts';

/** Hands out what others may do with the player, for as long as there is one. */
export function usePlayer(surfer: WaveSurfer | null, onPlayer: (player: Player | null) => void): Player | null {
  const [player, setPlayer] = useState<Player | null>(null);
  const tell = useEffectEvent((player: Player | null) => {
    setPlayer(player);
    onPlayer(player);
  });
  useEffect(() => {
    tell(surfer === null ? null : playerOf(surfer));
  }, [surfer]);
  return player;
}

function playerOf(surfer: WaveSurfer): Player {
  // What keeps it from playing is told by the `error` of the player.
  const play = () => void surfer.play().catch(() => undefined);
  return {
    seek: (ms) => surfer.setTime(ms / 1_000),
    playFrom: (ms) => {
      surfer.setTime(ms / 1_000);
      play();
    },
    toggle: () => (surfer.isPlaying() ? surfer.pause() : play()),
    skip: (ms) => surfer.skip(ms / 1_000),
  };
}
