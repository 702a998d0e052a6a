import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../domain/directory/directory.ts';
import type { EntityDefinition } from '../../domain/entity/definition/entity-definition.ts';
import { resolveEntity } from './entity-segment.ts';

const toDefinition = (name: string): EntityDefinition => ({
  name,
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {},
});
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
  ].map(toDefinition),
);
const deps = { directory, catchUp: () => Promise.resolve() };

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
  ])('%s names %s', async (segment, name) => {
    expect((await resolveEntity(deps, segment)).name).toBe(name);
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
  ])('%s does not name an entity type', async (segment) => {
    await expect(resolveEntity(deps, segment)).rejects.toThrow(`Entity type '${segment}' does not`);
  });

  it('catches up only if needed to find an entity type', async () => {
    let known = directory;
    let catchUps = 0;
    const lagging = {
      directory: { entity: (name: string) => known.entity(name) },
      async catchUp() {
        catchUps += 1;
        known = createDirectory([toDefinition('Project')]);
      },
    };
    expect((await resolveEntity(lagging, 'contacts')).name).toBe('Contact');
    expect(catchUps).toBe(0);
    expect((await resolveEntity(lagging, 'projects')).name).toBe('Project');
    expect(catchUps).toBe(1);
  });
});
