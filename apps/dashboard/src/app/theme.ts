import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const iris: MantineColorsTuple = [
  '#eef0fd',
  '#dcdff9',
  '#bcc3f4',
  '#9aa4ee',
  '#7f8aea',
  '#6370e2',
  '#4a54d8',
  '#3d46c0',
  '#343ca8',
  '#2a318f',
];

const dark: MantineColorsTuple = [
  '#d5d8e0',
  '#b9bdc9',
  '#9a9fae',
  '#7d8291',
  '#343842',
  '#2e323d',
  '#22252e',
  '#181a20',
  '#131519',
  '#0d0e12',
];

/** Text on a color or its tint. Some of the library's own pairs have too little contrast (WCAG AA, 4.5 to 1). */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant === 'filled' && input.color === 'red') {
    const [background, hover] = [
      'var(--mantine-color-red-9)',
      'color-mix(in srgb, var(--mantine-color-red-9) 88%, black)',
    ];
    return { ...colors, background, hover, color: 'var(--mantine-color-white)' };
  }
  const name = input.color ?? input.theme.primaryColor;
  if (input.variant === 'subtle' && name !== 'gray') {
    return { ...colors, color: `light-dark(var(--mantine-color-${name}-9), var(--mantine-color-${name}-3))` };
  }
  if (input.variant !== 'light') return colors;
  const tint = `light-dark(var(--mantine-color-${name}-0), color-mix(in srgb, var(--mantine-color-${name}-8) 22%, transparent))`;
  const hover = `light-dark(var(--mantine-color-${name}-1), color-mix(in srgb, var(--mantine-color-${name}-8) 32%, transparent))`;
  const text = `light-dark(color-mix(in srgb, var(--mantine-color-${name}-9) 82%, black), var(--mantine-color-${name}-2))`;
  return { ...colors, background: tint, hover, color: text };
};

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 6 },
  colors: { iris, dark },
  fontFamily:
    '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  variantColorResolver,
  components: {
    // The library's defaults are not accessible: its close button has no name, and a menu starts with a placeholder.
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Alert: { defaultProps: { closeButtonLabel: 'Close' } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Explicit roles: on a phone CSS lays tables out as cards, and browsers then drop the implicit table roles.
    TableTr: { defaultProps: { role: 'row' } },
    TableTh: { defaultProps: { role: 'columnheader' } },
    TableTd: { defaultProps: { role: 'cell' } },
  },
});

/** Replaces the library's grays and reds that have too little contrast for small text (WCAG AA, 4.5 to 1). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6270',
    '--mantine-color-placeholder': '#6a7080',
    '--mantine-color-error': '#c02626',
    '--outdial-surface': '#ffffff',
    '--outdial-canvas': '#f7f8fa',
    '--outdial-line': '#e4e6eb',
  },
  dark: {
    '--mantine-color-dimmed': '#9ea3b2',
    '--mantine-color-placeholder': '#8b90a0',
    '--mantine-color-error': '#ff9b9b',
    '--outdial-surface': '#1d2027',
    '--outdial-canvas': '#15171c',
    '--outdial-line': '#2e323d',
  },
});
