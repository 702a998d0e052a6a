import { describe, expect, it } from 'vitest';
import { suggestEvents } from './event-names.ts';
import type { Entity, Metadata } from './metadata.ts';

const labels: Readonly<Record<string, string>> = { phoneNumber: 'Telefon', contacts: 'Kontakte' };

function entity(name: string, label: string, parts: Partial<Pick<Entity, 'fields' | 'links'>>) {
  const made = {
    name,
    label,
    scope: { watchable: true },
    fields: {},
    links: {},
    labelOf: (part: string) => labels[part] ?? part,
    ...parts,
  };
  return [name, made as unknown as Entity] as const;
}

const metadata: Metadata = new Map([
  entity('Account', 'Firma', { links: { contacts: { type: 'hasMany' } } }),
  entity('Contact', 'Kontakt', {
    fields: { phoneNumber: { type: 'phone' }, upstream: { type: 'varchar' } },
  }),
]);

describe('event suggestions', () => {
  it.each([
    ['words of the name in any order', 'upd contact', 'Contact.update'],
    ['the name itself', 'Contact.fieldUpdate.ph', 'Contact.fieldUpdate.phoneNumber'],
    ['words inside of a name', 'number', 'Contact.fieldUpdate.phoneNumber'],
    ['labels in the language of the user', 'kontakt telefon', 'Contact.fieldUpdate.phoneNumber'],
    ['labels of links', 'firma kontakte', 'Account.relate.contacts'],
  ])('match %s', (_, typed, first) => {
    expect(suggestEvents(metadata, typed)[0]).toBe(first);
  });

  it('begin with events of whole records', () => {
    expect(suggestEvents(metadata, '').slice(0, 3)).toEqual([
      'Account.create',
      'Account.update',
      'Account.delete',
    ]);
  });

  it('are empty if a word matches nothing', () => {
    expect(suggestEvents(metadata, 'contact nonsense')).toEqual([]);
  });
});
