import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import WaveSurfer from 'wavesurfer.js';
import type { WavPeaks } from '../../model/wav-peaks.ts';
import { VOICE_COLORS } from './player.ts';

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

/** Both sides, one above the other. A click seeks. The browser fetches the audio while it plays. */
export function Waveform({ href, peaks, rate, onSurfer, onTime, onPlaying, onFailure }: WaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const channels = useSideColors();
  const reportSurfer = useEffectEvent((surfer: WaveSurfer | null) => onSurfer(surfer));
  const reportTime = useEffectEvent(onTime);
  const reportPlaying = useEffectEvent(onPlaying);
  const reportFailure = useEffectEvent(onFailure);
  const startChannels = useEffectEvent(() => channels);

  useEffect(() => {
    if (container.current === null) return undefined;
    const made = WaveSurfer.create({
      container: container.current,
      url: href,
      peaks: normalized(peaks),
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
    made.on('timeupdate', (seconds) => reportTime(seconds * 1_000));
    made.on('play', () => reportPlaying(true));
    made.on('pause', () => reportPlaying(false));
    made.on('error', () => reportFailure());
    reportSurfer(made);
    return () => {
      reportSurfer(null);
      surfer.current = null;
      made.destroy();
    };
  }, [href, peaks]);

  useEffect(() => surfer.current?.setOptions({ splitChannels: channels }), [channels]);
  useEffect(() => surfer.current?.setPlaybackRate(rate, true), [rate, peaks]);
  return <div ref={container} aria-hidden />;
}

/** Scales quiet recordings to full height, and keeps the ratio of the two voices. */
function normalized({ callee, agent }: WavPeaks): Float32Array[] {
  const loudest = [...callee, ...agent].reduce((most, level) => Math.max(most, level), 0.05);
  return [callee, agent].map((channel) => channel.map((level) => level / loudest));
}

/** A canvas cannot use CSS variables, so its colors are set again when the color scheme changes. */
function useSideColors() {
  const { colors } = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const shadeOf = (name: string, shade: number) => colors[name]?.[shade] ?? '#888';
  const [idle, played] = scheme === 'dark' ? [7, 4] : [3, 7];
  return [VOICE_COLORS.callee, VOICE_COLORS.agent].map((name) => ({
    waveColor: shadeOf(name, idle),
    progressColor: shadeOf(name, played),
    cursorColor: scheme === 'dark' ? '#ffffff' : '#22252e',
  }));
}
