import { expect, it } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { emptyFold } from './fold.ts';
import { takeMessage } from './take-message.ts';

const ofNoKnownSchema = Buffer.concat([Buffer.from([0xc3, 0x01]), Buffer.alloc(20, 7)]);

it.each(['valid', 'seals'] as const)(
  'throws for an authentic entry from a later version (code %s)',
  (proof) => {
    expect(() => takeMessage(emptyFold, { value: ofNoKnownSchema, proof })).toThrow(Unavailable);
  },
);

it('skips an unreadable entry without an authentication code', () => {
  const taken = takeMessage(emptyFold, { value: ofNoKnownSchema, proof: 'none' });
  expect(taken).toMatchObject({
    state: emptyFold,
    leftOut: { rejected: 'unknown schema fingerprint 707070707070707', isForeign: false },
  });
});

it('skips an unreadable entry even if its authentication code is valid', () => {
  const value = Buffer.from('neither this nor that');
  const taken = takeMessage(emptyFold, { value, proof: 'valid' });
  expect(taken).toMatchObject({ leftOut: { isForeign: false } });
});
