import { describe, expect, it } from 'vitest';
import { readLayout, requireLayoutName } from '../../../shared/domain/entity/layout.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { decideLayouts } from './definition-commands.ts';

function definition(values: AttributeValues) {
  return { entityType: 'EntityDefinition', id: 'Account', version: 1, deleted: false, values };
}

describe('a layout', () => {
  const list = [{ name: 'name', link: true }];

  it('is stored next to the other layouts of its entity type', () => {
    const body = { names: ['list'], layout: list } as const;
    expect(decideLayouts(undefined, { body })).toMatchObject({
      type: 'Created',
      values: { layouts: { list } },
    });
    const before = definition({ fields: {}, layouts: { kanban: [], list: [] } });
    expect(decideLayouts(before, { body })).toMatchObject({
      type: 'Updated',
      changes: [{ attribute: 'layouts', after: { kanban: [], list } }],
    });
    expect(decideLayouts(definition({ layouts: { list } }), { body })).toBeUndefined();
  });

  it('is removed by a reset together with the layout that it is generated from', () => {
    const body = { names: ['bottomPanelsDetail', 'relationships'], layout: null } as const;
    const before = definition({ layouts: { relationships: [], list } });
    expect(decideLayouts(before, { body })).toMatchObject({
      changes: [{ attribute: 'layouts', after: { list } }],
    });
  });

  it('is rejected unless its name is known', () => {
    expect(requireLayoutName('kanban')).toBe('kanban');
    for (const name of ['', 'other', '__proto__', 'constructor']) {
      expect(() => requireLayoutName(name)).toThrow('Unknown layout');
    }
  });

  it.each([
    ['a text', 'x'],
    ['nothing', undefined],
    ['null', null],
    ['a text with NUL', ['a\0']],
    ['too many levels', JSON.parse(`${'['.repeat(17)}${']'.repeat(17)}`)],
    ['__proto__', JSON.parse('[{"__proto__": 1}]')],
    ['over 64 KiB', ['x'.repeat(64 * 1024)]],
  ])('is rejected as invalid: %s', (_what, body) => {
    expect(() => readLayout(body, 'detail')).toThrow(
      expect.objectContaining({ code: 'layout.invalid' }),
    );
  });

  it('is rejected if a client could not read an entry of a list', () => {
    for (const body of [[null], ['name'], [{}], [{ name: 1 }]]) {
      expect(() => readLayout(body, 'list')).toThrow('must be an object with the name');
    }
    for (const body of [[null], [1], [{}]]) {
      expect(() => readLayout(body, 'filters')).toThrow('must be a name, or an object');
    }
    expect(readLayout([{ name: 'a', width: 3 }], 'list')).toEqual([{ name: 'a', width: 3 }]);
    expect(readLayout(['a', { name: 'b' }], 'relationships')).toEqual(['a', { name: 'b' }]);
  });
});
