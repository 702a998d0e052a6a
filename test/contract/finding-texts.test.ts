import { expect, it } from 'vitest';
import german from '../../services/console/pages/system/findings/finding-texts.de.json' with {
  type: 'json',
};
import english from '../../services/console/pages/system/findings/finding-texts.en.json' with {
  type: 'json',
};
import { findingCodes } from '../../services/system/doctor/finding-codes.ts';

it('the console has a German text for each finding of the server, and for no other', () => {
  expect(codesOf(german)).toEqual(new Set(findingCodes));
});

it('the console has English texts only for findings of the server, and they name no commands', () => {
  expect(codesOf(english).difference(new Set<string>(findingCodes))).toEqual(new Set());
  expect(Object.values(english).filter((text) => /annals [a-z]|PUT/.test(text))).toEqual([]);
});

function codesOf(texts: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(Object.keys(texts).map((key) => key.replace(/[.]remedy$/, '')));
}
