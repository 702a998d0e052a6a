import { expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import { readWhereItems } from './where-item.ts';

const readZone = (timeZone: string) => readWhereItems([{ type: 'today', timeZone }]);

it.each([
  ['Asia/Kolkata', 330],
  ['Etc/GMT+5', -300],
  ['utc', 0],
  ['+05:30', 330],
  ['-0530', -330],
])('accepts the time zone %s, which is %i minutes ahead of UTC', (timeZone, minutes) => {
  expect(readZone(timeZone)[0]?.clock?.toUtc(0)).toBe(0 - minutes * 60_000);
});

it.each(['Mars', 'Mars/Olympus', '+25:00', "UTC'", ' '])('rejects the time zone %j', (timeZone) => {
  expect(() => readZone(timeZone)).toThrow(Refusal);
});

const many = (count: number, item: object) => Array.from({ length: count }, () => item);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const contains = { type: 'contains', attribute: 'name', value: 'a' };
const like = { type: 'columnNotLike', attribute: 'accountRole', value: '%a' };
const linked = { type: 'notLinkedWith', attribute: 'teams', value: ['t'] };
const foreign = { type: 'equals', attribute: 'account.name', value: 'a' };
const among = (count: number) => ({ type: 'in', attribute: 'id', value: ids(count) });

it.each([
  ['conditions', many(200, { type: 'isNull', attribute: 'name' })],
  [
    'conditions on a part of a text',
    [...many(25, contains), { type: 'or', value: many(25, like) }],
  ],
  ['values of one list', [among(1_000)]],
  ['values of all lists', many(5, among(1_000))],
])('accepts the maximum number of %s', (_what, where) => {
  expect(readWhereItems(where)).toHaveLength(where.length);
});

it.each([
  [many(201, { type: 'isNull', attribute: 'name' }), 'more than 200 conditions. Remove some'],
  [
    [...many(26, contains), { type: 'or', value: many(25, like) }],
    'more than 50 conditions on parts of texts and on linked records (contains, like, linkedWith, account.name). Remove some',
  ],
  [[...many(25, linked), ...many(26, foreign)], 'more than 50 conditions on parts of texts'],
  [[among(1_001)], 'more than 1000 values. Split the search'],
  [
    [{ type: 'linkedWith', attribute: 'teams', value: ids(1_001) }],
    'more than 1000 values. Split the search',
  ],
  [[...many(5, among(1_000)), among(1)], 'more than 5000 values in total. Split the search'],
])('rejects case %# with the limit in the message', (where, sentence) => {
  expect(() => readWhereItems(where)).toThrow(sentence);
});
