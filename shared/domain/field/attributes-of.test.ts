import { describe, expect, it } from 'vitest';
import { attributesOf } from './attributes-of.ts';
import type { FieldDefinition } from './field-types.ts';

describe('attributesOf', () => {
  it.each<[FieldDefinition, readonly string[]]>([
    [{ type: 'varchar' }, ['x string']],
    [{ type: 'text' }, ['x string']],
    [{ type: 'enum' }, ['x string']],
    [{ type: 'url' }, ['x string']],
    [{ type: 'secret' }, ['x string']],
    [{ type: 'personName' }, ['x string']],
    [{ type: 'bool' }, ['x bool']],
    [{ type: 'int' }, ['x int']],
    [{ type: 'autoincrement' }, ['x int']],
    [{ type: 'float' }, ['x float']],
    [{ type: 'date' }, ['x date']],
    [{ type: 'datetime' }, ['x datetime']],
    [{ type: 'multiEnum' }, ['x strings']],
    [{ type: 'array' }, ['x strings']],
    [{ type: 'jsonObject' }, ['x json']],
    [{ type: 'email' }, ['x string', 'xData json', 'xIsOptedOut bool', 'xIsInvalid bool']],
    [{ type: 'phone' }, ['x string', 'xData json', 'xIsOptedOut bool', 'xIsInvalid bool']],
    [
      { type: 'address' },
      ['xStreet string', 'xCity string', 'xState string', 'xCountry string', 'xPostalCode string'],
    ],
    [{ type: 'currency' }, ['x float', 'xCurrency string', 'xConverted float']],
    [{ type: 'link', entityType: 'User' }, ['xId string', 'xName string']],
    [{ type: 'linkMultiple', entityType: 'Team' }, ['xIds strings', 'xNames json']],
    [{ type: 'foreign', link: 'account', entityType: 'Account', attribute: 'type' }, ['x string']],
  ])('maps %j to %j', (definition, expected) => {
    expect(attributesOf('x', definition).map(({ name, kind }) => `${name} ${kind}`)).toEqual(
      expected,
    );
  });

  it('sets the field on every attribute', () => {
    expect(attributesOf('home', { type: 'address' }).map(({ field }) => field)).toEqual(
      Array.from({ length: 5 }, () => 'home'),
    );
  });

  it('marks all attributes as writable except derived and read-only ones', () => {
    expect(writable({ type: 'currency' })).toEqual(['x', 'xCurrency']);
    expect(writable({ type: 'link', entityType: 'User' })).toEqual(['xId']);
    expect(writable({ type: 'linkMultiple', entityType: 'Team' })).toEqual(['xIds']);
    expect(writable({ type: 'personName' })).toEqual([]);
    expect(writable({ type: 'foreign', link: 'account' })).toEqual([]);
    expect(writable({ type: 'email', readOnly: true })).toEqual([]);
    expect(writable({ type: 'bool', notStored: true })).toEqual([]);
  });

  it('marks all attributes as stored except link names, foreign and unstored fields', () => {
    expect(stored({ type: 'link', entityType: 'User' })).toEqual(['xId']);
    expect(stored({ type: 'linkMultiple', entityType: 'Team' })).toEqual(['xIds']);
    expect(stored({ type: 'foreign', link: 'account' })).toEqual([]);
    expect(stored({ type: 'bool', notStored: true })).toEqual([]);
    expect(stored({ type: 'currency' })).toEqual(['x', 'xCurrency', 'xConverted']);
  });

  it('marks e-mail and phone groups and requested fields as single-read only', () => {
    const left = attributesOf('x', { type: 'email' }).filter(
      ({ singleReadOnly }) => singleReadOnly,
    );
    expect(left.map(({ name }) => name)).toEqual(['xData']);
    const teams = attributesOf('x', { type: 'linkMultiple', singleReadOnly: true });
    expect(teams.map(({ singleReadOnly }) => singleReadOnly)).toEqual([true, true]);
  });

  it('returns the source of values that come through a link', () => {
    const [, name] = attributesOf('account', { type: 'link', entityType: 'Account' });
    expect(name?.through).toEqual({
      link: 'account',
      idAttribute: 'accountId',
      entityType: 'Account',
      attribute: 'name',
    });
    const [type] = attributesOf('accountType', {
      type: 'foreign',
      link: 'account',
      entityType: 'Account',
      attribute: 'type',
    });
    expect(type?.through).toEqual({
      link: 'account',
      idAttribute: 'accountId',
      entityType: 'Account',
      attribute: 'type',
    });
  });
});

function writable(definition: FieldDefinition): readonly string[] {
  return attributesOf('x', definition)
    .filter((attribute) => attribute.writable)
    .map(({ name }) => name);
}

function stored(definition: FieldDefinition): readonly string[] {
  return attributesOf('x', definition)
    .filter((attribute) => attribute.stored)
    .map(({ name }) => name);
}
