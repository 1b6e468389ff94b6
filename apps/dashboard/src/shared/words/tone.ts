/** What a state means for whoever looks at it. Always shown with words and an icon beside the colour. */
export type Tone = 'neutral' | 'active' | 'live' | 'good' | 'warning' | 'bad';

/** Of Mantine's palette. */
export const TONE_COLOURS: Readonly<Record<Tone, string>> = {
  neutral: 'gray',
  active: 'blue',
  live: 'teal',
  good: 'teal',
  warning: 'orange',
  bad: 'red',
};
