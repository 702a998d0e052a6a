import { describe, expect, it } from 'vitest';
import { colorAt } from '../../parts/colors.ts';
import { colorOf, eventsIn, progressOf } from './calendar-events.ts';

const item = (id: string, others = {}) => ({
  scope: 'Meeting',
  id,
  name: id,
  status: 'Planned',
  ...others,
});

describe('the events of several calendars', () => {
  const shared = item('shared', { assignedUserId: 'bob' });
  const calendars = { ann: [item('own'), shared], bob: [shared, item('own', { scope: 'Call' })] };
  const events = eventsIn(calendars, ['ann', 'bob']);

  it('include an activity of several users once', () => {
    expect(events.map(({ key, userIds }) => [key, userIds])).toEqual([
      ['Meeting own', ['ann']],
      ['Meeting shared', ['ann', 'bob']],
      ['Call own', ['bob']],
    ]);
  });

  it('are only those of the chosen users', () => {
    expect(eventsIn(calendars, ['bob']).map(({ key }) => key)).toEqual([
      'Meeting shared',
      'Call own',
    ]);
    expect(eventsIn({}, ['bob'])).toEqual([]);
  });

  it('have the colour of the assigned user, or of the first who takes part', () => {
    const among = { types: ['Call', 'Meeting'], userIds: ['ann', 'bob'] };
    expect(events.map((event) => colorOf(event, among))).toEqual([
      colorAt(0),
      colorAt(1),
      colorAt(1),
    ]);
  });

  it('have the colour of their entity type if there is one calendar', () => {
    const among = { types: ['Call', 'Meeting'], userIds: ['ann'] };
    expect(events.map((event) => colorOf(event, among))).toEqual([
      colorAt(1),
      colorAt(1),
      colorAt(0),
    ]);
  });
});

describe('progressOf', () => {
  it('distinguishes planned, completed and cancelled activities', () => {
    const statuses = ['Planned', 'Completed', 'Not Held', 'Custom'];
    expect(statuses.map((status) => progressOf(item('x', { status })))).toEqual([
      'planned',
      'done',
      'cancelled',
      'planned',
    ]);
  });
});
