import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { linksOf } from '../entity/model/links.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import { createDirectory, entityDefinitionType } from './directory.ts';

type Values = Readonly<Record<string, AttributeValue>>;

/** A directory whose log has these definitions, by entity type. */
function directoryWith(definitions: Readonly<Record<string, Values>>) {
  const directory = createDirectory(stockDefinitions);
  for (const [recordId, values] of Object.entries(definitions)) {
    directory.apply(aCreation(entityDefinitionType, values, { recordId }));
  }
  return {
    fields: (entityType: string) => directory.entity(entityType)?.fields,
    definition: (entityType: string) => directory.entity(entityType)?.definition,
    links(entityType: string) {
      const model = directory.entity(entityType);
      return model && linksOf(model, directory.entity);
    },
  };
}

const name = { type: 'varchar' };
const account = { type: 'link', entityType: 'Account', isCustom: true };
const custom = (fields: Values, more: Values = {}) => ({
  template: 'Base',
  fields: { name, ...fields },
  ...more,
});

describe('a custom link', () => {
  it('is there on both sides, though it stands on one', () => {
    const { links } = directoryWith({
      Project: custom({ account: { ...account, foreign: 'projects', foreignLabel: 'Sites' } }),
    });
    const there = { type: 'hasMany', entityType: 'Project', foreign: 'account', heldBy: 'other' };
    expect(links('Account')?.get('projects')).toMatchObject(there);
    expect(links('Project')?.get('account')).toMatchObject({
      type: 'belongsTo',
      foreign: 'projects',
    });
  });

  it('is read as versions wrote it that kept half of it on each side', () => {
    const { links } = directoryWith({
      Project: custom({ account }),
      Account: { links: { projects: { entityType: 'Project', foreign: 'account' } } },
    });
    expect(links('Account')?.get('projects')).toMatchObject({ foreign: 'account' });
    expect(links('Project')?.get('account')).toMatchObject({ foreign: 'projects' });
  });

  it('has the name that it has now, and not that of an old half as well', () => {
    const { links } = directoryWith({
      Project: custom({ account: { ...account, foreign: 'sites' } }),
      Account: {
        links: {
          projects: { entityType: 'Project', foreign: 'account' },
          gone: { entityType: 'Project', foreign: 'nothing' },
        },
      },
    });
    const names = [...(links('Account')?.keys() ?? [])];
    expect(names.filter((one) => ['sites', 'projects', 'gone'].includes(one))).toEqual(['sites']);
  });

  it('to a parent is listed by the types that have a name for it', () => {
    const { links } = directoryWith({
      Remark: custom({
        about: {
          type: 'linkParent',
          entityList: ['Account', 'Contact'],
          foreignEntityList: ['Account'],
          foreign: 'remarks',
          isCustom: true,
        },
      }),
    });
    expect(links('Account')?.get('remarks')).toMatchObject({ type: 'hasChildren' });
    expect(links('Contact')?.has('remarks')).toBe(false);
  });
});

describe('a template', () => {
  it('with activities makes its entity types parents of them', () => {
    const { fields, links } = directoryWith({
      Project: custom({}, { template: 'BasePlus' }),
      Plain: custom({}),
    });
    for (const kind of ['Meeting', 'Call', 'Task']) {
      const parents = fields(kind)?.get('parent')?.entityList;
      expect([parents?.includes('Project'), parents?.includes('Plain')]).toEqual([true, false]);
    }
    expect(links('Project')?.get('tasks')).toMatchObject({
      type: 'hasChildren',
      foreign: 'parent',
    });
  });

  it('gives what it got later to entity types that were made before, unless the name was theirs', () => {
    const before = { template: 'Event', fields: { name } };
    const own = { type: 'varchar', isCustom: true };
    const { fields } = directoryWith({
      Visit: before,
      Tour: { ...before, fields: { name, duration: own } },
      Trip: { ...before, removedFields: { duration: own } },
    });
    const types = ['Visit', 'Tour', 'Trip'].map((one) => fields(one)?.get('duration')?.type);
    expect(types).toEqual(['duration', 'varchar', undefined]);
  });
});

it.each(['LayoutSet', 'KnowledgeBaseArticle', 'EmailTemplate', 'LeadCapture'])(
  'keeps a custom type %s that was created before Annals shipped one of the same name',
  (name) => {
    const { definition, fields } = directoryWith({
      [name]: custom({ columns: { type: 'int' } }, { template: 'Person' }),
    });
    expect(definition(name)).toMatchObject({
      isCustom: true,
      log: 'records',
      isObject: true,
      template: 'Person',
    });
    expect(fields(name)?.has('columns')).toBe(true);
    expect(fields(name)?.has('emailAddress')).toBe(true);
    expect(fields(name)?.has('body')).toBe(false);
  },
);

it('keeps a custom link that has the name of a link that Annals ships later', () => {
  const articles = { type: 'linkMultiple', entityType: 'Contact', isCustom: true };
  const { links } = directoryWith({ Case: { fields: { articles } } });
  expect(links('Case')?.get('articles')).toMatchObject({ entityType: 'Contact', heldBy: 'self' });
  expect(directoryWith({}).links('Case')?.get('articles')).toMatchObject({
    entityType: 'KnowledgeBaseArticle',
    foreign: 'cases',
  });
});

it('lets types of parents call a link to them by names of their own', () => {
  const { links } = directoryWith({});
  const children = { type: 'hasChildren', entityType: 'Meeting', foreign: 'parent' };
  expect(links('Account')?.get('meetings')).toMatchObject(children);
  expect(links('Contact')?.get('meetingsChildren')).toMatchObject(children);
  expect(links('Contact')?.get('meetings')).toMatchObject({ type: 'hasMany', foreign: 'contacts' });
});

describe('what is said of a shipped field', () => {
  it('is laid over it, and the rest stays', () => {
    const { fields } = directoryWith({
      Lead: { fields: { status: { options: ['New', 'Converted'] }, gone: { label: 'x' } } },
    });
    expect(fields('Lead')?.get('status')).toEqual({
      type: 'enum',
      options: ['New', 'Converted'],
      default: 'New',
    });
    expect(fields('Lead')?.has('gone')).toBe(false);
  });

  it('takes its place if it is a whole field', () => {
    const { fields } = directoryWith({ Lead: { fields: { status: { type: 'varchar' } } } });
    expect(fields('Lead')?.get('status')).toEqual({ type: 'varchar' });
  });
});

describe('a custom entity type', () => {
  it('has the order, the search and the version numbers that were asked for', () => {
    const { definition } = directoryWith({
      Project: custom(
        { code: { type: 'varchar', isCustom: true } },
        {
          sortBy: 'code',
          sortDirection: 'asc',
          textFilterFields: ['code'],
          optimisticConcurrencyControl: true,
        },
      ),
    });
    expect(definition('Project')).toMatchObject({
      orderBy: 'code',
      order: 'asc',
      textFilterFields: ['code'],
      hasVersionNumber: true,
    });
  });

  it('is sorted and searched as usual where the fields for it are gone', () => {
    const { definition } = directoryWith({
      Project: custom({}, { sortBy: 'code', textFilterFields: ['code'] }),
    });
    expect(definition('Project')).toMatchObject({ orderBy: 'createdAt', order: 'desc' });
    expect(definition('Project')).not.toHaveProperty('textFilterFields');
  });
});
