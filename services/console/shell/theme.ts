import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { showActiveTab } from '../parts/show-active-tab.ts';

/** Has enough contrast for text on both white and black. */
const lake: MantineColorsTuple = [
  '#e8f6fb',
  '#d3e9f1',
  '#a6d3e3',
  '#74bbd4',
  '#4ca7c8',
  '#349abf',
  '#1f7ea3',
  '#1c7293',
  '#145f7c',
  '#084b64',
];

/** The library's red, with enough contrast for white text on filled buttons. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d32f2f',
  '#d32f2f',
  '#c92a2a',
];

export const theme = createTheme({
  colors: { lake, red },
  primaryColor: 'lake',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The library's alert colours have too little contrast for text.
    Alert: {
      styles: {
        label: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      },
    },
    Badge: {
      defaultProps: { variant: 'dot', tt: 'none', radius: 'sm' },
      // The library's grey is hardly visible on the dark background of a badge.
      vars: (_theme: unknown, { color }: { readonly color?: string }) => ({
        root: color === 'gray' ? { '--badge-dot-color': 'var(--mantine-color-dimmed)' } : {},
      }),
      // In a narrow table, a badge would shrink to its first letter.
      styles: { root: { minWidth: 'max-content', verticalAlign: 'middle' } },
    },
    // Legends are headings of their inputs.
    Fieldset: { styles: { legend: { fontWeight: 600 } } },
    Modal: { styles: { title: { fontWeight: 600 } } },
    Tabs: {
      defaultProps: { keepMounted: false, activateTabWithKeyboard: false },
      styles: { tab: { paddingInline: 'var(--mantine-spacing-xs)' } },
    },
    TabsList: { defaultProps: { mb: 'md', className: 'one-line', ref: showActiveTab } },
    // The defaults for section headings. Other headings set both properties.
    Title: { defaultProps: { order: 2, size: 'h5' } },
    // A dialog's header is not a page landmark.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
});
