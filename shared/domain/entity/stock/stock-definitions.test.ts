import { describe, expect, it } from 'vitest';
import { mergeDefinitions } from '../../directory/merge-definitions.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { buildEntityModel, systemAttributes } from '../model/entity-model.ts';
import { accountDefinition } from './account.ts';
import { stockDefinitions } from './stock-definitions.ts';

const merged = mergeDefinitions(stockDefinitions, []);
const later = ['Campaign', 'InboundEmail', 'Opportunity', 'TargetList'];

describe.each(stockDefinitions.map((definition) => [definition.name, definition] as const))(
  'the definition of %s',
  (_, definition) => {
    const fields = Object.entries(definition.fields);

    it('is plain data', () => {
      expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
    });

    it('gives every attribute a unique name', () => {
      const names = buildEntityModel(definition).attributes.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(names.filter((name) => name === 'id' || name === 'deleted')).toEqual([]);
    });

    it('links to entity types that exist or are planned', () => {
      const known = [...stockDefinitions.map(({ name }) => name), ...later];
      for (const [, { type, entityType }] of fields) {
        if (type === 'link' || type === 'linkOne' || type === 'linkMultiple')
          expect(known).toContain(entityType);
        else if (type !== 'foreign') expect(entityType).toBeUndefined();
      }
    });

    it('reads foreign values through an existing link and attribute', () => {
      for (const [, { link = '', type, entityType, attribute = '' }] of fields) {
        if (type !== 'foreign') continue;
        expect(definition.fields[link]).toMatchObject({ type: 'link', entityType });
        expect(attributesOf(entityType)).toContain(attribute);
      }
    });

    it('names only existing links on the other side', () => {
      for (const [, { type, entityType, foreign = '' }] of fields) {
        if (type !== 'linkOne' || foreign === '') continue;
        const other = stockDefinitions.find(({ name }) => name === entityType)?.fields[foreign];
        expect(other).toMatchObject({ type: 'link', entityType: definition.name });
      }
      const links = merged.find(({ name }) => name === definition.name)?.links ?? {};
      for (const { entityType, foreign } of Object.values(links)) {
        const there = stockDefinitions.find(({ name }) => name === entityType)?.fields[foreign];
        expect([there?.entityType, ...(there?.entityList ?? [])]).toContain(definition.name);
      }
      expect(Object.keys(links)).toEqual(expect.arrayContaining([...(definition.linkOrder ?? [])]));
    });

    it('derives all links held by other types from their fields', () => {
      expect(definition.links).toBeUndefined();
      for (const [field, { type, foreign, foreignOf, ...one }] of fields) {
        if (foreign === undefined || type === 'linkOne') continue;
        for (const target of one.foreignEntityList ?? one.entityList ?? [one.entityType ?? '']) {
          const seen = foreignOf?.[target] ?? foreign;
          const there = merged.find(({ name }) => name === target)?.links?.[seen];
          expect(there).toMatchObject({ entityType: definition.name, foreign: field });
        }
      }
    });

    it('has rules that refer to its own attributes', () => {
      const attributes = attributesOf(definition.name);
      for (const [
        ,
        { valueBy, stampedWhen, start, end, amount, percent, primaryColumns },
      ] of fields) {
        const named = [valueBy?.attribute, stampedWhen?.attribute, start, end, amount, percent];
        const all = [...named, ...Object.values(primaryColumns ?? {})];
        expect(all.filter((name) => name !== undefined && !attributes.includes(name))).toEqual([]);
      }
    });

    it('has primary links that belong to a multiple link of the same type', () => {
      for (const [, { primaryOf, primaryColumns = {}, entityType }] of fields) {
        if (primaryOf === undefined) continue;
        const many = definition.fields[primaryOf];
        expect(many).toMatchObject({ type: 'linkMultiple', entityType });
        for (const column of Object.keys(primaryColumns))
          expect(many?.columns).toHaveProperty(column);
      }
    });

    it('has options for every choice field, including its default', () => {
      for (const [, { type, options, default: chosen = null }] of fields) {
        if (type === 'enum' || type === 'multiEnum' || type === 'phone') {
          expect(options?.length).toBeGreaterThan(0);
          expect(options).toEqual([...new Set(options)]);
        }
        if (type === 'enum' && chosen !== null) expect(options).toContain(chosen);
      }
    });

    it('has patterns that compile', () => {
      for (const [, { pattern = '' }] of fields)
        expect(() => new RegExp(pattern, 'u')).not.toThrow();
    });

    it('is ordered by an existing attribute and refers to existing fields in required rules', () => {
      expect(attributesOf(definition.name)).toContain(definition.orderBy);
      const unless = fields.flatMap(([, { requiredUnless = [] }]) => requiredUnless);
      for (const field of [...unless, ...(definition.nameRequiredUnless ?? [])]) {
        expect(definition.fields).toHaveProperty(field);
      }
    });

    it('omits multiple links from lists', () => {
      for (const [, { type, singleReadOnly }] of fields) {
        if (type === 'linkMultiple' || type === 'attachmentMultiple')
          expect(singleReadOnly).toBe(true);
      }
    });
  },
);

it('contains every entity type once', () => {
  const names = stockDefinitions.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it('keeps business records in the records log and all others in the directory', () => {
  const known = stockDefinitions.filter(({ isInternal }) => isInternal !== true);
  const business = known.filter(({ isObject }) => isObject).map(({ name }) => name);
  expect([...business, 'Note', 'Attachment']).toEqual(
    known.filter(({ log }) => log === 'records').map(({ name }) => name),
  );
});

it('gives Account every attribute that clients expect', () => {
  const address = ['Street', 'City', 'State', 'Country', 'PostalCode', 'Latitude', 'Longitude'];
  const listed = [
    ...['id', 'name', 'deleted', 'website', 'emailAddress', 'phoneNumber', 'type', 'industry'],
    ...['contactIsInactive', 'description', 'createdAt', 'modifiedAt', 'targetListIsOptedOut'],
    ...['billing', 'shipping'].flatMap((kind) => address.map((part) => `${kind}Address${part}`)),
    ...['emailAddress', 'phoneNumber'].flatMap((field) =>
      ['IsOptedOut', 'IsInvalid', 'Data'].map((part) => field + part),
    ),
    ...[
      'createdById',
      'assignedUserId',
      'assignedUserName',
      'teamsIds',
      'teamsNames',
      'isFollowed',
    ],
  ];
  const known = new Set([...attributesOf(accountDefinition.name), ...systemAttributes]);
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
});

function attributesOf(entityType: string | undefined): readonly string[] {
  return stockDefinitions
    .filter(({ name }: EntityDefinition) => name === entityType)
    .flatMap((definition) => buildEntityModel(definition).attributes.map(({ name }) => name));
}
