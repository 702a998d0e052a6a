import { expect, it } from 'vitest';
import type { Entity } from '../api/metadata.ts';
import { statusColor } from './status-badge.tsx';

const options = ['Prospecting', 'Proposal', 'Closed Won', 'Closed Lost'];
const entity = { fields: { stage: { type: 'enum', options } } } as unknown as Entity;

it('statusColor returns green for success, red for failure, and different colours for open options', () => {
  const colors = [...options, 'removed'].map((option) => statusColor(entity, 'stage', option));
  expect(colors).toEqual(['blue', 'violet', 'green', 'red', 'gray']);
});
