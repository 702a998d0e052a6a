import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { changesLinks } from './update.ts';

const { entity } = createDirectory(stockDefinitions);

describe('changesLinks', () => {
  it.each([
    ['Contact', ['title', 'accountId', 'accountName'], true],
    ['Contact', ['accountsColumns'], true],
    ['Meeting', ['contactsIds'], true],
    ['Task', ['parentType'], true],
    ['Document', ['fileId'], true],
    ['Case', ['attachmentsIds'], true],
    ['Contact', ['title', 'description'], false],
    ['Contact', ['accountName', 'accountsNames'], false],
    ['Account', ['type', 'emailAddressIsInvalid'], false],
    ['Account', ['notThere'], false],
    ['Account', [], false],
  ])('reports whether a %s with the changes %j changes links: %j', (name, changed, expected) => {
    const model = entity(name);
    expect(model && changesLinks(model, changed)).toBe(expected);
  });
});
