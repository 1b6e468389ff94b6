/** How good or bad a state is. Always shown with words and an icon, never by color alone. */
export type Tone = 'neutral' | 'active' | 'live' | 'good' | 'warning' | 'bad';

/** Colors of Mantine's palette. */
export const TONE_COLORS: Readonly<Record<Tone, string>> = {
  neutral: 'gray',
  active: 'blue',
  live: 'teal',
  good: 'teal',
  warning: 'orange',
  bad: 'red',
};
