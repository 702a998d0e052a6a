import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { linksOf } from '../entity/model/links.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import { createDirectory, entityDefinitionType } from './directory.ts';

type Values = Readonly<Record<string, AttributeValue>>;

/** Returns a directory whose log contains these definitions, keyed by entity type. */
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
  it('exists on both sides although only one side stores it', () => {
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

  it('is merged from the two halves that earlier versions wrote', () => {
    const { links } = directoryWith({
      Project: custom({ account }),
      Account: { links: { projects: { entityType: 'Project', foreign: 'account' } } },
    });
    expect(links('Account')?.get('projects')).toMatchObject({ foreign: 'account' });
    expect(links('Project')?.get('account')).toMatchObject({ foreign: 'projects' });
  });

  it('appears only under its current name and not under the name in an old half', () => {
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

  it('is listed only by the parent types that name it', () => {
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
  it('makes its entity types parents of activities', () => {
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

  it('adds later fields to existing entity types, unless the name was already used there', () => {
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
  'keeps a custom type %s that was created before a shipped type of the same name',
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

it('keeps a custom link whose name is later used by a shipped link', () => {
  const articles = { type: 'linkMultiple', entityType: 'Contact', isCustom: true };
  const { links } = directoryWith({ Case: { fields: { articles } } });
  expect(links('Case')?.get('articles')).toMatchObject({ entityType: 'Contact', heldBy: 'self' });
  expect(directoryWith({}).links('Case')?.get('articles')).toMatchObject({
    entityType: 'KnowledgeBaseArticle',
    foreign: 'cases',
  });
});

it('lets each parent type use its own name for the reverse side of a parent link', () => {
  const { links } = directoryWith({});
  const children = { type: 'hasChildren', entityType: 'Meeting', foreign: 'parent' };
  expect(links('Account')?.get('meetings')).toMatchObject(children);
  expect(links('Contact')?.get('meetingsChildren')).toMatchObject(children);
  expect(links('Contact')?.get('meetings')).toMatchObject({ type: 'hasMany', foreign: 'contacts' });
});

describe('a shipped field in the log', () => {
  it('is merged with the shipped settings if it has no type', () => {
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

  it('replaces the shipped field if it has a type', () => {
    const { fields } = directoryWith({ Lead: { fields: { status: { type: 'varchar' } } } });
    expect(fields('Lead')?.get('status')).toEqual({ type: 'varchar' });
  });
});

describe('a custom entity type', () => {
  it('has the configured sort order, search fields and version numbers', () => {
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

  it('falls back to default sorting and search when the configured fields are gone', () => {
    const { definition } = directoryWith({
      Project: custom({}, { sortBy: 'code', textFilterFields: ['code'] }),
    });
    expect(definition('Project')).toMatchObject({ orderBy: 'createdAt', order: 'desc' });
    expect(definition('Project')).not.toHaveProperty('textFilterFields');
  });
});
