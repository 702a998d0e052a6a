import { describe, expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { defaultValues } from '../../../shared/domain/input/field-plan.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { type Definition, decideDefinition } from './define-entities.ts';
import { holderOf } from './define-links.ts';

type Body = Definition['body'];

/** Decides and applies the definitions one after the other, like the owner of the directory. */
function definitions() {
  const directory = createDirectory(stockDefinitions);
  const define = (kind: Definition['kind'], entityType: string, body: Body = {}) => {
    const state = directory.record(entityDefinitionType, entityType);
    const definition = { kind, entityType, body };
    const decision = decideDefinition(state, definition, directory);
    if (decision === undefined) return [];
    const version = (state?.version ?? 0) + 1;
    const place = { recordId: entityType, version };
    directory.apply({ ...aCreation(entityDefinitionType, {}, place), ...decision });
    return decision.changes.map(({ attribute }) => attribute);
  };
  const link = (kind: 'createLink' | 'updateLink' | 'removeLink', body: Body) =>
    define(kind, holderOf(directory, kind, body), body);
  define('createEntity', 'Project', { name: 'Project', type: 'Base' });
  return {
    directory,
    define,
    link,
    field: (entityType: string, name: string) => directory.entity(entityType)?.fields.get(name),
    linkOf(entityType: string, name: string) {
      const model = directory.entity(entityType);
      return model && linksOf(model, directory.entity).get(name);
    },
  };
}

function refusalOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, text: JSON.stringify(error.detail) };
    throw error;
  }
  return undefined;
}

const toAccount = {
  entity: 'Project',
  entityForeign: 'Account',
  link: 'account',
  linkForeign: 'projects',
  linkType: 'manyToOne',
};

it.each(['createEntity', 'createField', 'updateField', 'removeField'] as const)(
  'rejects %s when the name or the type cannot be converted to text',
  (kind) => {
    const { define } = definitions();
    const textless = { toString: 1, valueOf: 1 };
    const refused = refusalOf(() => define(kind, 'Other', { name: textless, type: textless }));
    expect(refused?.code).toMatch(/unknown|invalid/);
    const ofAccount = refusalOf(() => define(kind, 'Account', { name: textless, type: textless }));
    expect(ofAccount?.code).toMatch(/unknown|invalid|name/);
  },
);

it('rejects labels of an entity type that are too long or not text', () => {
  const { define, directory } = definitions();
  const labels = { labelSingular: 'x'.repeat(100), labelPlural: 'y'.repeat(100) };
  define('updateEntity', 'Project', labels);
  expect(directory.record(entityDefinitionType, 'Project')?.values).toMatchObject({
    label: labels.labelSingular,
    labelPlural: labels.labelPlural,
  });
  for (const name of ['labelSingular', 'labelPlural']) {
    for (const value of ['z'.repeat(101), 5]) {
      const update = () => define('updateEntity', 'Project', { [name]: value });
      expect(update).toThrow(`'${name}' must be text with at most 100 characters.`);
    }
    define('updateEntity', 'Project', { [name]: null });
  }
});

describe('a link', () => {
  it('is stored as one change to one definition, whichever side creates it', () => {
    const { link, linkOf } = definitions();
    expect(link('createLink', toAccount)).toEqual(['fields']);
    expect(linkOf('Account', 'projects')).toMatchObject({ entityType: 'Project' });
    const fromThere = { ...toAccount, entity: 'Account', entityForeign: 'Project' };
    const names = { link: 'sites', linkForeign: 'owner', linkType: 'oneToMany' };
    expect(link('createLink', { ...fromThere, ...names })).toEqual(['fields']);
    expect(linkOf('Project', 'owner')).toMatchObject({ type: 'belongsTo', foreign: 'sites' });
  });

  it.each(['User', 'Team'])('can connect to a %s', (entityForeign) => {
    const { link, linkOf } = definitions();
    const names = { entityForeign, link: 'members', linkType: 'manyToMany' };
    link('createLink', { ...toAccount, ...names });
    expect(linkOf(entityForeign, 'projects')).toMatchObject({ type: 'hasMany', field: 'members' });
  });

  it.each([
    [{ linkForeign: 'contacts' }, 'linkWithSameNameAlreadyExists'],
    [{ linkForeign: 'website' }, 'fieldAlreadyExists'],
    [{ linkForeign: 'campaignId' }, 'namingFieldLinkConflict'],
    [{ link: 'description' }, 'fieldAlreadyExists'],
  ])('is rejected with %j and changes neither side', (names, label) => {
    const { directory, link } = definitions();
    const before = directory.revision();
    const refused = refusalOf(() => link('createLink', { ...toAccount, ...names }));
    expect(refused).toMatchObject({ code: 'field.exists', text: expect.stringContaining(label) });
    expect(directory.revision()).toBe(before);
  });

  it.each([
    [{ linkType: 'oneToOneLeft' }, 'field.invalid'],
    [{ linkType: 'oneToOneRight' }, 'field.invalid'],
    [{ entityForeign: 'Role' }, 'entity.unknown'],
    [{ entityForeign: 'Unknown' }, 'entity.unknown'],
    [{ entity: 'User' }, 'field.invalid'],
    [{ entityForeign: 'User', linkType: 'oneToMany' }, 'field.invalid'],
    [{ entity: 'Team' }, 'entity.unknown'],
    [{ linkForeign: undefined }, 'field.invalid'],
    [{ label: 5 }, 'field.invalid'],
    [{ entityForeign: 'Project', linkForeign: 'account' }, 'field.invalid'],
    [{ entityForeign: 'Project', linkForeign: 'accountId' }, 'field.invalid'],
  ])('is rejected with %j', (parts, code) => {
    const { link } = definitions();
    expect(refusalOf(() => link('createLink', { ...toAccount, ...parts }))?.code).toBe(code);
  });

  it.each(['entity', 'entityForeign', 'link', 'linkForeign', 'linkType'])(
    'is rejected when %s cannot be converted to text',
    (name) => {
      const { link } = definitions();
      for (const kind of ['createLink', 'removeLink'] as const) {
        const body = { ...toAccount, [name]: { toString: 1, valueOf: 1 } };
        expect(refusalOf(() => link(kind, body))?.code).toMatch(/unknown|invalid/);
      }
    },
  );

  it('is completed if an earlier version created only one side', () => {
    const { directory, link, linkOf } = definitions();
    const half = { type: 'link', entityType: 'Project', isCustom: true };
    const place = { recordId: 'Contact' };
    directory.apply(aCreation(entityDefinitionType, { fields: { project: half } }, place));
    const whole = { entity: 'Contact', entityForeign: 'Project', link: 'project' };
    link('createLink', { ...toAccount, ...whole, linkForeign: 'people' });
    expect(linkOf('Project', 'people')).toMatchObject({ entityType: 'Contact' });
    const again = { ...toAccount, ...whole, linkForeign: 'others' };
    expect(refusalOf(() => link('createLink', again))?.code).toBe('field.exists');
  });

  it('is removed by either name and can be recreated only with the same target', () => {
    const { link, linkOf } = definitions();
    link('createLink', toAccount);
    link('removeLink', { entity: 'Account', link: 'projects' });
    expect([linkOf('Account', 'projects'), linkOf('Project', 'account')]).toEqual([
      undefined,
      undefined,
    ]);
    const toContact = { ...toAccount, entityForeign: 'Contact' };
    expect(refusalOf(() => link('createLink', toContact))?.code).toBe('field.invalid');
    link('createLink', toAccount);
    expect(linkOf('Account', 'projects')).toMatchObject({ field: 'account' });
  });

  it.each([
    { entity: 'Account', link: 'contacts' },
    { entity: 'Account', link: 'nothing' },
    { entity: 'Unknown', link: 'projects' },
    {},
  ])('is not removed if it is not a custom link: %j', (body) => {
    const { link } = definitions();
    expect(refusalOf(() => link('removeLink', body))?.code).toBe('field.unknown');
  });

  it('accepts both labels from either side', () => {
    const { field, link } = definitions();
    link('createLink', toAccount);
    const labels = { label: 'Sites', labelForeign: 'Owner' };
    link('updateLink', { entity: 'Account', link: 'projects', ...labels });
    expect(field('Project', 'account')).toMatchObject({ label: 'Owner', foreignLabel: 'Sites' });
  });

  it('adds a reverse link only to the selected parent types', () => {
    const { field, link, linkOf } = definitions();
    const parent = { entity: 'Project', link: 'about', linkForeign: 'sites' };
    const types = {
      parentEntityTypeList: ['Account', 'Contact'],
      foreignLinkEntityTypeList: ['Contact'],
    };
    const body = { ...parent, linkType: 'childrenToParent' };
    expect(refusalOf(() => link('createLink', body))?.code).toBe('field.invalid');
    link('createLink', { ...body, ...types });
    expect(field('Project', 'about')?.entityList).toEqual(['Account', 'Contact']);
    expect([linkOf('Account', 'sites'), linkOf('Contact', 'sites')?.type]).toEqual([
      undefined,
      'hasChildren',
    ]);
  });
});

describe('a shipped field', () => {
  it('accepts options, a label and a default and is restored by a reset', () => {
    const { define, field } = definitions();
    const shipped = field('Lead', 'source');
    const changes = { options: ['Call', 'Fair'], label: 'From', default: 'Fair', required: true };
    define('updateField', 'Lead', { name: 'source', ...changes });
    expect(field('Lead', 'source')).toEqual({ ...shipped, ...changes });
    // A client reads the definition and sends it back with one change.
    define('updateField', 'Lead', { ...field('Lead', 'source'), name: 'source', required: false });
    expect(field('Lead', 'source')).toMatchObject({ ...changes, required: false });
    define('resetField', 'Lead', { name: 'source' });
    expect(field('Lead', 'source')).toEqual(shipped);
  });

  it('accepts a label, a tooltip and the next number of a counter', () => {
    const { define, field } = definitions();
    const changes = { label: 'No', tooltip: 'Counted', audited: true, nextNumber: 1_000 };
    define('updateField', 'Case', { name: 'number', ...changes });
    expect(field('Case', 'number')).toEqual({ type: 'autoincrement', readOnly: true, ...changes });
  });

  it('accepts telephone number types as `typeList`', () => {
    const { define, field } = definitions();
    const typeList = ['Work', 'Home'];
    define('updateField', 'Contact', { name: 'phoneNumber', typeList });
    expect(field('Contact', 'phoneNumber')).toEqual({ type: 'phone', options: typeList });
    const wrong = { name: 'phoneNumber', typeList: ['Work', 'Work'] };
    const refused = refusalOf(() => define('updateField', 'Contact', wrong));
    expect(refused?.code).toBe('field.invalid');
    // Ignored for other types of fields.
    define('updateField', 'Lead', { name: 'source', typeList: 'x', label: 'From' });
    expect(field('Lead', 'source')).not.toHaveProperty('typeList');
  });

  it('accepts options until a reset if it comes from a template', () => {
    const { define, field } = definitions();
    define('createEntity', 'Visit', { type: 'Event' });
    const options = ['Planned', 'Held', 'Not Held', 'Moved'];
    define('updateField', 'Visit', { name: 'status', options });
    expect(field('Visit', 'status')).toMatchObject({ type: 'enum', options, default: 'Planned' });
    define('resetField', 'Visit', { name: 'status' });
    expect(field('Visit', 'status')?.options).toHaveLength(3);
  });

  it.each([
    ['Lead', { name: 'status', options: ['New'] }, 'field.invalid'],
    ['Task', { name: 'status', options: ['Not Started', 'Completed'] }, 'field.invalid'],
    ['Lead', { name: 'source', default: 'Nowhere' }, 'field.invalid'],
    ['Lead', { name: 'firstName', maxLength: 5 }, 'field.invalid'],
    ['Lead', { name: 'firstName', options: ['a'] }, 'field.invalid'],
    ['Case', { name: 'number', required: true }, 'field.invalid'],
    ['Lead', { name: 'source', nextNumber: 5 }, 'field.invalid'],
    ['Account', { name: 'createdAt', label: 'x' }, 'field.unknown'],
    ['User', { name: 'type', options: ['regular', 'super-admin'] }, 'field.unknown'],
    ['Role', { name: 'name', label: 'x' }, 'entity.unknown'],
  ])('rejects invalid settings: %s %j', (entityType, body, code) => {
    const { define } = definitions();
    expect(refusalOf(() => define('updateField', entityType, body))?.code).toBe(code);
  });

  it('cannot be removed', () => {
    const { define } = definitions();
    define('updateField', 'Lead', { name: 'source', label: 'From' });
    const refused = refusalOf(() => define('removeField', 'Lead', { name: 'source' }));
    expect(refused?.code).toBe('field.unknown');
  });
});

describe('a custom field', () => {
  it('keeps its tooltip, its audited flag and its next number', () => {
    const { define, field } = definitions();
    const settings = { tooltip: true, audited: true, nextNumber: 500 };
    define('createField', 'Account', { name: 'code', type: 'number', prefix: 'A-', ...settings });
    expect(field('Account', 'code')).toMatchObject(settings);
    define('updateField', 'Account', { name: 'code', tooltip: 'Of the ledger', audited: false });
    expect(field('Account', 'code')).toMatchObject({
      ...settings,
      tooltip: 'Of the ledger',
      audited: false,
    });
  });

  it.each([
    ["'tooltip' must be true, false, or text", { tooltip: 5 }],
    ['with at most 1000 characters', { tooltip: 'x'.repeat(1_001) }],
    ["'audited' must be true or false", { audited: 'yes' }],
    ["'nextNumber' must be a positive integer", { nextNumber: 0 }],
    ['of at most 100000000', { nextNumber: 1e9 }],
    ["'nextNumber' must be a positive integer", { nextNumber: '7' }],
    ["'label' must be text with at most 250 characters.", { label: 'x'.repeat(251) }],
  ])('is rejected with the message %s', (message, parts) => {
    const { define } = definitions();
    const body = { name: 'code', type: 'autoincrement', ...parts };
    expect(() => define('createField', 'Account', body)).toThrow(message);
  });

  it('is visible only to administrators if it belongs to a user', () => {
    const { define, field } = definitions();
    define('createField', 'User', { name: 'costCentre', type: 'varchar' });
    expect(field('User', 'costCentre')).toMatchObject({ type: 'varchar', adminOnly: true });
    for (const type of ['number', 'file']) {
      const refused = refusalOf(() => define('createField', 'User', { name: 'other', type }));
      expect(refused?.code).toBe('field.invalid');
    }
  });

  it.each([
    [{ type: 'multiEnum', options: ['a', 'b'], default: ['b'] }, ['b']],
    [{ type: 'array', options: ['a'], allowCustomOptions: true, default: ['c'] }, ['c']],
    [{ type: 'int', default: 3 }, 3],
    [{ type: 'bool', default: true }, true],
    [{ type: 'date', default: '2030-01-31' }, '2030-01-31'],
    [{ type: 'enum', options: ['', 'a'], default: '' }, null],
  ])('keeps its default: %j', (body, expected) => {
    const { define, field } = definitions();
    define('createField', 'Account', { name: 'extra', ...body });
    expect(field('Account', 'extra')?.default).toEqual(expected);
  });

  it('has no default after the default is set to null', () => {
    const { define, directory, field } = definitions();
    define('createField', 'Account', { name: 'extra', type: 'bool', default: true });
    define('updateField', 'Account', { name: 'extra', default: null });
    define('createField', 'Account', { name: 'more', type: 'array', default: null });
    expect(field('Account', 'extra')?.default).toBeNull();
    const model = directory.entity('Account');
    expect(model && defaultValues(model)).toMatchObject({ extra: false, more: [] });
  });

  it.each([
    { type: 'multiEnum', options: ['a'], default: ['b'] },
    { type: 'multiEnum', options: ['a'], default: 'a' },
    { type: 'date', default: 'soon' },
    { type: 'bool', default: 'maybe' },
    { type: 'int', min: 5, default: 3 },
    { type: 'address', default: 'here' },
    { type: 'autoincrement', default: 5 },
  ])('is rejected because of its default: %j', (body) => {
    const { define } = definitions();
    const refused = refusalOf(() => define('createField', 'Account', { name: 'extra', ...body }));
    expect(refused?.code).toBe('field.invalid');
  });

  it('cannot have the name of a link', () => {
    const { define } = definitions();
    const refused = refusalOf(() =>
      define('createField', 'Account', { name: 'contacts', type: 'varchar' }),
    );
    expect(refused).toMatchObject({
      code: 'field.exists',
      text: expect.stringContaining('linkWithSameNameAlreadyExists'),
    });
  });

  it('cannot reuse the column of a removed link that had another type', () => {
    const { define, link } = definitions();
    link('createLink', toAccount);
    link('removeLink', { entity: 'Project', link: 'account' });
    const refused = refusalOf(() =>
      define('createField', 'Project', { name: 'accountId', type: 'int' }),
    );
    expect(refused?.code).toBe('field.invalid');
  });
});

describe('a foreign field', () => {
  const foreign = { name: 'industry', type: 'foreign', link: 'account', field: 'industry' };

  it("has the type of the linked record's field and prevents the removal of the link", () => {
    const { define, directory, link } = definitions();
    link('createLink', toAccount);
    define('createField', 'Project', foreign);
    define('createField', 'Account', { name: 'staff', type: 'int' });
    define('createField', 'Project', { ...foreign, name: 'staff', field: 'staff' });
    const attribute = directory.entity('Project')?.attribute;
    expect(attribute?.get('industry')).toMatchObject({ kind: 'string', writable: false });
    expect(attribute?.get('staff')).toMatchObject({ kind: 'int', stored: false });
    const removal = { entity: 'Project', link: 'account' };
    expect(refusalOf(() => link('removeLink', removal))?.code).toBe('field.invalid');
    define('removeField', 'Project', { name: 'industry' });
    define('removeField', 'Project', { name: 'staff' });
    link('removeLink', removal);
  });

  it('disappears and reappears with the field that it shows', () => {
    const { define, field, link } = definitions();
    link('createLink', toAccount);
    const shown = { name: 'staff', type: 'int' };
    define('createField', 'Account', shown);
    define('createField', 'Project', { ...foreign, name: 'staff', field: 'staff' });
    define('removeField', 'Account', { name: 'staff' });
    expect(field('Project', 'staff')).toBeUndefined();
    define('createField', 'Account', shown);
    expect(field('Project', 'staff')).toMatchObject({ attributeKind: 'int' });
  });

  it.each([
    { link: 'nothing' },
    { link: 'teams' },
    { link: 'createdBy', field: 'passwordHash' },
    { link: 'assignedUser', field: 'authMethod' },
    { field: 'nothing' },
    { field: 'billingAddress' },
    { field: 'teamsIds' },
    { field: undefined },
  ])('is rejected with %j', (parts) => {
    const { define, link } = definitions();
    link('createLink', toAccount);
    const refused = refusalOf(() => define('createField', 'Project', { ...foreign, ...parts }));
    expect(refused?.code).toBe('field.invalid');
  });
});

describe('an entity type', () => {
  it.each([
    { sortBy: 'nothing' },
    { sortDirection: 'up' },
    { textFilterFields: ['nothing'] },
    { textFilterFields: 'name' },
    { optimisticConcurrencyControl: 'yes' },
  ])('is rejected with %j', (traits) => {
    const { define } = definitions();
    for (const kind of ['createEntity', 'updateEntity'] as const) {
      const name = kind === 'createEntity' ? 'Site' : 'Project';
      const refused = refusalOf(() => define(kind, name, { type: 'Base', ...traits }));
      expect(refused?.code).toBe('field.invalid');
    }
  });

  it('rejects a field with another column type when it is recreated', () => {
    const { define, field } = definitions();
    define('createField', 'Project', { name: 'size', type: 'int' });
    define('removeEntity', 'Project');
    define('createEntity', 'Project', { type: 'Base' });
    const other = () => define('createField', 'Project', { name: 'size', type: 'varchar' });
    expect([field('Project', 'size'), refusalOf(other)?.code]).toEqual([
      undefined,
      'field.invalid',
    ]);
    define('createField', 'Project', { name: 'size', type: 'int' });
    expect(field('Project', 'size')).toMatchObject({ type: 'int' });
  });

  it('can be sorted by a field that was added later', () => {
    const { define, directory } = definitions();
    define('createField', 'Project', { name: 'code', type: 'varchar' });
    define('updateEntity', 'Project', { sortBy: 'code', sortDirection: 'asc' });
    expect(directory.entity('Project')?.definition).toMatchObject({
      orderBy: 'code',
      order: 'asc',
    });
  });
});

it('drops the label of the earlier definition when an entity type is recreated', () => {
  const { define, directory } = definitions();
  define('updateEntity', 'Project', { labelSingular: 'Old', textFilterFields: ['name'] });
  define('removeEntity', 'Project');
  expect(define('createEntity', 'Project', { type: 'Base' })).toEqual(
    expect.arrayContaining(['label', 'textFilterFields']),
  );
  const values = directory.record(entityDefinitionType, 'Project')?.values;
  expect([values?.['label'], values?.['textFilterFields']]).toEqual([null, null]);
});
