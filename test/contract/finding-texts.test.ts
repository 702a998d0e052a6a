import { expect, it } from 'vitest';
import german from '../../services/console/pages/system/findings/finding-texts.de.json' with {
  type: 'json',
};
import { findingCodes } from '../../services/system/doctor/finding-codes.ts';

it('the console has a German text for each finding of the server, and for no other', () => {
  const codes = Object.keys(german).map((key) => key.replace(/[.]remedy$/, ''));
  expect(new Set(codes)).toEqual(new Set(findingCodes));
});
