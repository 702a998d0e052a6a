import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import {
  type Acknowledgement,
  acknowledgementsId,
  acknowledgementsIn,
  acknowledgementsType,
  decideAcknowledgement,
  readReason,
} from './acknowledgements.ts';

const acknowledgement = { code: 'c', reason: 'Intended.', byId: 'ann', at: '2030-01-02T03:04:05Z' };

/** Applies acknowledgements and withdrawals one after the other, as the owner of the directory does. */
function idsAfter(...inputs: readonly (readonly [string, Acknowledgement | null])[]) {
  const directory = createDirectory(stockDefinitions);
  const read = () => directory.record(acknowledgementsType, acknowledgementsId);
  for (const [id, value] of inputs) {
    const decision = decideAcknowledgement(read(), id, value);
    if (decision === undefined) continue;
    const version = (read()?.version ?? 0) + 1;
    const parts = { recordId: acknowledgementsId, version, ...decision };
    directory.apply(aCreation(acknowledgementsType, {}, parts));
  }
  return [...acknowledgementsIn(read()).keys()];
}

describe('acknowledgements', () => {
  it('remain until they are withdrawn', () => {
    const both = [
      ['a', acknowledgement],
      ['b', acknowledgement],
    ] as const;
    expect(idsAfter(...both)).toEqual(['a', 'b']);
    expect(idsAfter(...both, ['a', null])).toEqual(['b']);
  });

  it('are limited to 100, dropping the oldest', () => {
    const many = Array.from({ length: 102 }, (_, index) => [`f${index}`, acknowledgement] as const);
    const ids = idsAfter(...many);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 'f2', 'f101']);
  });
});

describe('the reason of an acknowledgement', () => {
  it('is stored without surrounding blanks', () => {
    expect(readReason(' One machine.\n')).toBe('One machine.');
  });

  it.each([undefined, 5, '', '  ', 'a\0b', 'x'.repeat(501)])(
    'is rejected if it is %j',
    (reason) => {
      expect(() => readReason(reason)).toThrow(expect.objectContaining({ code: 'record.invalid' }));
    },
  );
});
