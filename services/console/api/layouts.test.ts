import { expect, it } from 'vitest';
import { panelsIn, toLayout } from './layouts.ts';

const foreign = [
  {
    label: 'Overview',
    style: 'info',
    rows: [
      [{ name: 'name' }, false],
      [{ name: 'city', noLabel: true }, { name: 'phone' }, { name: 'name' }],
      [{ name: 'description', fullWidth: true }],
    ],
  },
  { customLabel: 'More', columns: [[{ name: 'type' }], [{ name: 'owner' }]] },
];

it('reads each field of a panel once and in order', () => {
  expect(panelsIn('detail', foreign)).toEqual([
    {
      label: 'Overview',
      style: 'info',
      fields: [
        { name: 'name' },
        { name: 'city', noLabel: true },
        { name: 'phone' },
        { name: 'description', fullWidth: true },
      ],
    },
    { label: '', customLabel: 'More', fields: [{ name: 'type' }, { name: 'owner' }] },
  ]);
});

it('stores two fields per row and each full-width field alone', () => {
  const layout = toLayout('detail', panelsIn('detail', foreign));
  expect(layout).toEqual([
    {
      label: 'Overview',
      style: 'info',
      rows: [
        [{ name: 'name' }, { name: 'city', noLabel: true }],
        [{ name: 'phone' }, false],
        [{ name: 'description', fullWidth: true }],
      ],
    },
    { label: '', customLabel: 'More', rows: [[{ name: 'type' }, { name: 'owner' }]] },
  ]);
  expect(toLayout('detail', panelsIn('detail', layout))).toEqual(layout);
});

it('starts a new row after a full-width field', () => {
  const fields = [{ name: 'a' }, { name: 'b', fullWidth: true }, { name: 'c' }, { name: 'd' }];
  expect(toLayout('detail', [{ label: 'L', fields }])).toEqual([
    {
      label: 'L',
      rows: [
        [{ name: 'a' }, false],
        [{ name: 'b', fullWidth: true }],
        [{ name: 'c' }, { name: 'd' }],
      ],
    },
  ]);
});

it('reads and stores the columns of a list', () => {
  const list = [
    { name: 'name', link: true },
    { name: 'city', width: 20 },
  ];
  const [panel] = panelsIn('list', list);
  expect(panel?.fields).toEqual(list);
  expect(toLayout('list', panelsIn('list', list))).toEqual(list);
});

it.each([
  ['an object', {}],
  ['a boolean', false],
  ['texts', ['name']],
  ['panels without rows', [{ label: 'L' }]],
  ['rows that are not lists', [{ label: 7, rows: { 0: [] } }]],
  ['cells without a name', [{ label: 'L', rows: [[{ view: 'x' }, null, 3, [{}]]] }]],
  ['names that are not texts', [{ label: 'L', rows: [[{ name: { a: 1 } }]] }]],
])('ignores %s in a stored layout', (_what, stored) => {
  expect(panelsIn('detail', stored).flatMap(({ fields }) => fields)).toEqual([]);
  expect(panelsIn('list', stored).flatMap(({ fields }) => fields)).toEqual([]);
});
