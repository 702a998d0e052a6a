import { describe, expect, it } from 'vitest';
import type { Entity } from '../api/metadata.ts';
import { enteredFields, fieldsEnteredWith } from './entered-fields.ts';

const fields = {
  name: { type: 'personName' },
  salutationName: { type: 'enum' },
  firstName: { type: 'varchar' },
  lastName: { type: 'varchar' },
  website: { type: 'url' },
  createdAt: { type: 'datetime', readOnly: true },
  number: { type: 'autoincrement' },
  dateStart: { type: 'datetimeOptional' },
  dateEnd: { type: 'datetimeOptional' },
  duration: { type: 'duration', notStorable: true },
};
const event = { fields } as unknown as Entity;
const { duration: _, ...others } = fields;
const person = { fields: others } as unknown as Entity;
const all = { mayEditField: () => true };

describe('the inputs for fields', () => {
  it.each([
    ['of a name are those of its parts', ['name'], ['salutationName', 'firstName', 'lastName']],
    ['omit fields that the server sets', ['website', 'createdAt', 'number'], ['website']],
    ['omit unknown fields', ['removed'], []],
    ['of two times are separate', ['dateStart', 'dateEnd'], ['dateStart', 'dateEnd']],
  ])('%s', (_title, names, inputs) => {
    expect(enteredFields(person, names, all)).toEqual(inputs);
  });

  it('omit fields that the user may not edit', () => {
    const rights = { mayEditField: (name: string) => name !== 'firstName' };
    expect(enteredFields(person, ['name'], rights)).toEqual(['salutationName', 'lastName']);
  });

  it('of the times of an event are one input', () => {
    expect(enteredFields(event, fieldsEnteredWith(event, 'dateEnd'), all)).toEqual(['dateStart']);
    expect(fieldsEnteredWith(event, 'website')).toEqual(['website']);
    expect(fieldsEnteredWith(person, 'dateEnd')).toEqual(['dateEnd']);
  });
});
