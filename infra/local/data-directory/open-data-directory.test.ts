import { expect, it } from 'vitest';
import { findDisk } from './open-data-directory.ts';

it.runIf(process.platform === 'linux')('finds the disk that contains a path', () => {
  expect(findDisk('/proc')).toBe('/proc');
  expect(findDisk('/proc/self')).toBe('/proc');
  expect(findDisk('/proc/not-there-yet')).toBe('/proc');
});
