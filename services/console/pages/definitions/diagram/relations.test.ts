import { expect, it } from 'vitest';
import type { Entity, Field, Link } from '../../../api/metadata.ts';
import { relationsOf } from './relations.ts';

interface Parts {
  readonly links: Readonly<Record<string, Link>>;
  readonly fields?: Readonly<Record<string, Field>>;
  readonly object?: boolean;
}

function metadataOf(types: Readonly<Record<string, Parts>>) {
  return new Map(
    Object.entries(types).map(([name, { links, fields = {}, object = true }]) => [
      name,
      { name, links, fields, scope: { object } } as unknown as Entity,
    ]),
  );
}

it('returns each link once from the side that stores the ids', () => {
  const found = relationsOf(
    metadataOf({
      Account: {
        links: {
          contacts: { type: 'hasMany', entity: 'Contact', foreign: 'accounts' },
          projects: { type: 'hasMany', entity: 'Project', foreign: 'account' },
          tasks: { type: 'hasChildren', entity: 'Task', foreign: 'parent' },
          createdBy: { type: 'belongsTo', entity: 'User' },
        },
      },
      Contact: { links: { accounts: { type: 'hasMany', entity: 'Account', foreign: 'contacts' } } },
      Project: {
        links: { account: { type: 'belongsTo', entity: 'Account', foreign: 'projects' } },
        fields: { account: { type: 'link', isCustom: true } },
      },
      Task: {
        links: { parent: { type: 'belongsToParent' } },
        fields: { parent: { type: 'linkParent', entityList: ['Account', 'Contact', 'Gone'] } },
      },
      User: { links: {}, object: false },
    }),
  );
  const lines = found.map(({ from, link, to, foreign, kind, isCustom }) =>
    [from, link, kind, to, foreign ?? '–', isCustom ? 'custom' : 'built-in'].join(' '),
  );
  expect(lines.toSorted()).toEqual([
    'Contact accounts manyToMany Account contacts built-in',
    'Project account manyToOne Account projects custom',
    'Task parent toParent Account tasks built-in',
    'Task parent toParent Contact – built-in',
  ]);
});
