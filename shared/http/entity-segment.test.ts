import { describe, expect, it } from 'vitest';
import { createDirectory } from '../domain/directory/directory.ts';
import type { EntityDefinition } from '../domain/entity/entity-definition.ts';
import { resolveEntity } from './entity-segment.ts';

const directory = createDirectory(
  [
    'Contact',
    'Case',
    'Opportunity',
    'Survey',
    'Address',
    'KnowledgeBaseArticle',
    'New',
    'News',
  ].map(
    (name): EntityDefinition => ({
      name,
      log: 'records',
      isObject: true,
      orderBy: 'createdAt',
      order: 'desc',
      fields: {},
    }),
  ),
);

describe('the entity segment of a path', () => {
  it.each([
    ['Contact', 'Contact'],
    ['contact', 'Contact'],
    ['contacts', 'Contact'],
    ['case', 'Case'],
    ['cases', 'Case'],
    ['opportunity', 'Opportunity'],
    ['opportunities', 'Opportunity'],
    ['surveys', 'Survey'],
    ['addresses', 'Address'],
    ['knowledgeBaseArticles', 'KnowledgeBaseArticle'],
    ['news', 'News'],
  ])('%s names %s', (segment, name) => {
    expect(resolveEntity(directory, segment).name).toBe(name);
  });

  it.each([
    'Contacts',
    'CONTACT',
    'cONTACT',
    'contactss',
    'opportunitys',
    'Kontakt',
    '',
    's',
    '__proto__',
    'constructor',
    'x'.repeat(1_000),
  ])('%s names nothing', (segment) => {
    expect(() => resolveEntity(directory, segment)).toThrow(`Entity type '${segment}' does not`);
  });
});
