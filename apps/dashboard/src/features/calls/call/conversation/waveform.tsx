import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import WaveSurfer from 'wavesurfer.js';
import type { WavPeaks } from '../../model/wav-peaks.ts';
import { VOICE_COLOURS } from './player.ts';

const CHANNEL_HEIGHT_PX = 56;

interface WaveformProps {
  readonly href: string;
  readonly peaks: WavPeaks;
  readonly rate: number;
  readonly onSurfer: (surfer: WaveSurfer | null) => void;
  readonly onTime: (ms: number) => void;
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly onFailure: () => void;
}

/** Both channels, one above the other; a click jumps. The sound itself is fetched by the browser as it is played. */
export function Waveform({ href, peaks, rate, onSurfer, onTime, onPlaying, onFailure }: WaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const channels = useChannelColours();
  const tell = useEffectEvent((surfer: WaveSurfer | null) => onSurfer(surfer));
  const tellTime = useEffectEvent(onTime);
  const tellPlaying = useEffectEvent(onPlaying);
  const tellFailure = useEffectEvent(onFailure);
  const startChannels = useEffectEvent(() => channels);

  useEffect(() => {
    if (container.current === null) return undefined;
    const made = WaveSurfer.create({
      container: container.current,
      url: href,
      peaks: inFullHeight(peaks),
      duration: peaks.durationSeconds,
      splitChannels: startChannels(),
      height: CHANNEL_HEIGHT_PX,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      cursorWidth: 2,
      dragToSeek: true,
    });
    surfer.current = made;
    made.on('timeupdate', (seconds) => tellTime(seconds * 1_000));
    made.on('play', () => tellPlaying(true));
    made.on('pause', () => tellPlaying(false));
    made.on('error', () => tellFailure());
    tell(made);
    return () => {
      tell(null);
      surfer.current = null;
      made.destroy();
    };
  }, [href, peaks]);

  useEffect(() => surfer.current?.setOptions({ splitChannels: channels }), [channels]);
  useEffect(() => surfer.current?.setPlaybackRate(rate, true), [rate, peaks]);
  return <div ref={container} aria-hidden />;
}

/** Quiet recordings are drawn as high as loud ones, and of the two voices the quieter stays the lower. */
function inFullHeight({ callee, agent }: WavPeaks): Float32Array[] {
  const loudest = [...callee, ...agent].reduce((most, level) => Math.max(most, level), 0.05);
  return [callee, agent].map((channel) => channel.map((level) => level / loudest));
}

/** A canvas knows no variables of the page: its colours are set anew when the colour scheme changes. */
function useChannelColours() {
  const { colors } = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const colour = (name: string, shade: number) => colors[name]?.[shade] ?? '#888';
  const [idle, played] = scheme === 'dark' ? [7, 4] : [3, 7];
  return [VOICE_COLOURS.callee, VOICE_COLOURS.agent].map((name) => ({
    waveColor: colour(name, idle),
    progressColor: colour(name, played),
    cursorColor: scheme === 'dark' ? '#ffffff' : '#22252e',
  }));
}
