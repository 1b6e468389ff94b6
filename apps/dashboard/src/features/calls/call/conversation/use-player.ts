import { useEffect, useEffectEvent, useState } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import type { Player } from './player.ts';

/** Provides the player's controls while there is a player. */
export function usePlayer(surfer: WaveSurfer | null, onPlayer: (player: Player | null) => void): Player | null {
  const [player, setPlayer] = useState<Player | null>(null);
  const publish = useEffectEvent((player: Player | null) => {
    setPlayer(player);
    onPlayer(player);
  });
  useEffect(() => {
    publish(surfer === null ? null : playerOf(surfer));
  }, [surfer]);
  return player;
}

function playerOf(surfer: WaveSurfer): Player {
  // The player reports a failure through its `error` event.
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
