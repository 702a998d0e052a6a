/** Of what became of batches and their events, as charts draw it. */
export const stateColors = {
  delivered: 'var(--mantine-color-green-7)',
  dead: 'var(--mantine-color-red-7)',
  dropped: 'var(--mantine-color-gray-6)',
  waiting: 'var(--mantine-color-blue-6)',
} as const;
