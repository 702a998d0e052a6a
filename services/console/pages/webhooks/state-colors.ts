/** Chart colours of the outcomes of batches and events. */
export const stateColors = {
  delivered: 'var(--mantine-color-green-7)',
  dead: 'var(--mantine-color-red-7)',
  dropped: 'var(--mantine-color-gray-6)',
  waiting: 'var(--mantine-color-blue-6)',
} as const;
