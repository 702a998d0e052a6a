import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Dark enough on white, and light enough on black, for text. */
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

export const theme = createTheme({
  colors: { lake },
  primaryColor: 'lake',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Colours of alerts are too light for text.
    Alert: {
      styles: {
        label: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      },
    },
    // In a narrow table a word would become its first letter.
    Badge: { styles: { root: { minWidth: 'max-content' } } },
    // The header of a dialog is none of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
});
