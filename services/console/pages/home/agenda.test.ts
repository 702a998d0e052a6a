import { expect, it } from 'vitest';
import { toApiTime } from '../../language/local-time.ts';
import { toAgenda } from './agenda.ts';

const now = new Date(2030, 0, 31, 12);
const at = (day: number, hour: number) => toApiTime(new Date(2030, 0, day, hour));
const item = (name: string, times: object, _scope = 'Meeting') => ({
  id: name,
  name,
  status: 'Planned',
  _scope,
  ...times,
});
const listed = (...items: readonly ReturnType<typeof item>[]) =>
  toAgenda(items, now).map(({ day, entries }) => [day, ...entries.map((entry) => entry.item.name)]);

it('includes today even without activities', () => {
  expect(listed()).toEqual([['2030-01-31']]);
});

it('groups activities by local days, with whole days before times', () => {
  expect(
    listed(
      item('late', { dateStart: at(31, 23), dateEnd: at(32, 1) }),
      item('early', { dateStart: at(31, 13), dateEnd: at(31, 14) }),
      item('fair', { dateStartDate: '2030-01-31', dateEndDate: '2030-02-02' }),
      item('next', { dateStart: at(32, 0), dateEnd: at(32, 1) }),
    ),
  ).toEqual([
    ['2030-01-31', 'fair', 'early', 'late'],
    ['2030-02-01', 'next'],
  ]);
});

it('lists an activity that has already begun under today', () => {
  expect(listed(item('trip', { dateStart: at(29, 9), dateEnd: at(32, 9) }))).toEqual([
    ['2030-01-31', 'trip'],
  ]);
});

it('lists a task under the day on which it is due', () => {
  const task = { dateStart: at(29, 9), dateEndDate: '2030-02-01' };
  expect(listed(item('task', task, 'Task'))).toEqual([['2030-01-31'], ['2030-02-01', 'task']]);
});

it('omits a whole day before today, which has not ended in UTC', () => {
  const yesterday = { dateStartDate: '2030-01-30', dateEndDate: '2030-01-30' };
  expect(listed(item('over', yesterday))).toEqual([['2030-01-31']]);
});

it('uses the time zone of the user for today and for days of times', () => {
  const night = item('night', { dateStart: '2030-01-31 16:00:00', dateEnd: '2030-01-31 17:00:00' });
  const daysIn = (zone: string) =>
    toAgenda([night], new Date('2030-01-31T14:00:00Z'), zone).map(({ day }) => day);
  expect(daysIn('Asia/Tokyo')).toEqual(['2030-01-31', '2030-02-01']);
  expect(daysIn('America/New_York')).toEqual(['2030-01-31']);
});
