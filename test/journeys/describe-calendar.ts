import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const password = 'correct horse battery';
/** A Tuesday in winter: the browser's time zone, Berlin, is one hour ahead of UTC. */
const tuesday = '2030-01-29';
const week = `/calendar?view=week&date=${tuesday}`;

export function describeCalendar(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> => {
    const record = { assignedUserId: 'admin', ...values };
    return recordIn(await fixture.api().post(`/${entity}`, record)).id;
  };
  const timesOf = async (entity: string, id: string) => {
    const record = recordIn(await fixture.api().get(`/${entity}/${id}`));
    const { dateStart, dateEnd, dateStartDate, dateEndDate } = record;
    return { dateStart, dateEnd, dateStartDate, dateEndDate };
  };
  const event = (page: Page, name: string) => page.getByTitle(new RegExp(`^${name}, `));

  describe('the calendar', () => {
    it('creates, moves and resizes an event with the mouse, and undoes the move', async () => {
      const { page, expectNoProblems } = await fixture.visit(week);
      await expectHeading(page, 'Calendar');
      await expectPage(page.getByRole('heading', { name: 'Jan 27 – Feb 2, 2030' })).toBeVisible();
      await drag(page, await slot(page, tuesday, '10:00'), await slot(page, tuesday, '11:15'));
      const dialog = page.getByRole('dialog', { name: /Jan 29, 2030, 10:00.*11:30/ });
      await dialog.getByRole('link', { name: 'New Meeting' }).click();
      await expectHeading(page, 'New Meeting');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kickoff');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Kickoff');
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const created = { dateStart: '2030-01-29 09:00:00', dateEnd: '2030-01-29 10:30:00' };
      expect(await timesOf('Meeting', id)).toMatchObject(created);

      await page.goBack();
      await expectPage(event(page, 'Kickoff')).toBeVisible();
      await expectAccessible(page);
      await drag(page, await pointIn(page, 'Kickoff'), await slot(page, '2030-01-30', '13:00'));
      const undo = page.getByRole('button', { name: 'Undo' });
      await expectPage(undo).toBeVisible();
      const moved = await timesOf('Meeting', id);
      expect(moved.dateStart).toMatch(/^2030-01-30 1[12]:/);
      await undo.click();
      await expectPage(page.getByText('Change undone')).toBeVisible();
      await expectPage(event(page, 'Kickoff')).toHaveAttribute('title', /Jan 29/);
      expect(await timesOf('Meeting', id)).toMatchObject(created);

      await event(page, 'Kickoff').hover();
      const box = await boxOf(page, 'Kickoff');
      const edge = { x: box.x + box.width / 2, y: box.y + box.height - 3 };
      await drag(page, edge, await slot(page, tuesday, '12:15'));
      await expectPage
        .poll(async () => (await timesOf('Meeting', id)).dateEnd)
        .toBe('2030-01-29 11:30:00');
      expect((await timesOf('Meeting', id)).dateStart).toBe(created.dateStart);
      expectNoProblems();
    });

    it('moves and lengthens an event with the keyboard alone', async () => {
      const id = await make('Call', {
        name: 'Ring back',
        dateStart: '2030-01-24 09:00:00',
        dateEnd: '2030-01-24 09:30:00',
      });
      const { page, expectNoProblems } = await fixture.visit('/calendar?view=week&date=2030-01-24');
      await event(page, 'Ring back').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Ring back' });
      await expectPage(dialog.getByText('Jan 24, 2030')).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: '1 day later' }).focus();
      await page.keyboard.press('Enter');
      await expectPage(dialog.getByText('Jan 25, 2030')).toBeVisible();
      await dialog.getByRole('button', { name: '15 minutes longer' }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Space');
      await expectPage
        .poll(() => timesOf('Call', id))
        .toMatchObject({ dateStart: '2030-01-25 09:00:00', dateEnd: '2030-01-25 10:00:00' });
      await page.keyboard.press('Escape');
      await expectPage(dialog).toHaveCount(0);
      await expectPage(event(page, 'Ring back')).toBeFocused();
      await page.keyboard.press('Enter');
      await dialog.getByRole('link', { name: 'Open' }).focus();
      await page.keyboard.press('Enter');
      await expectHeading(page, 'Ring back');
      expectNoProblems();
    });

    it('moves whole days, keeps due dates without a start, and shows both in every view', async () => {
      const fair = await make('Meeting', {
        name: 'Fair',
        dateStartDate: '2030-01-29',
        dateEndDate: '2030-01-30',
      });
      const report = await make('Task', { name: 'Report', dateEnd: '2030-01-31 15:00:00' });
      const { page, expectNoProblems } = await fixture.visit(
        `/calendar?view=month&date=${tuesday}`,
      );
      await expectPage(page.getByRole('heading', { name: 'January 2030' })).toBeVisible();
      await event(page, 'Fair').first().click();
      const dialog = page.getByRole('dialog', { name: 'Fair' });
      await expectPage(dialog.getByText(/Jan 29.*Jan 30, 2030/)).toBeVisible();
      await dialog.getByRole('button', { name: '1 day later' }).click();
      await dialog.getByRole('button', { name: '1 day longer' }).click();
      await expectPage(dialog.getByText(/Jan 30.*Feb 1, 2030/)).toBeVisible();
      await page.keyboard.press('Escape');
      await expectPage
        .poll(() => timesOf('Meeting', fair))
        .toMatchObject({ dateStartDate: '2030-01-30', dateEndDate: '2030-02-01' });
      await event(page, 'Report').click();
      await page.getByRole('button', { name: '1 day earlier' }).click();
      await expectPage
        .poll(() => timesOf('Task', report))
        .toMatchObject({ dateStart: null, dateEnd: '2030-01-30 15:00:00' });
      await page.keyboard.press('Escape');
      await expectAccessible(page);
      await page.getByText('Agenda', { exact: true }).click();
      await expectPage(event(page, 'Report')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('Tasks').click();
      await expectPage(event(page, 'Report')).toHaveCount(0);
      await page.getByLabel('Tasks').click();
      await expectPage(page.getByLabel('Tasks')).toBeChecked();
      await page.getByText('Day', { exact: true }).click();
      await expectPage(page.getByRole('heading', { name: 'January 29, 2030' })).toBeVisible();
      await page.getByRole('button', { name: 'Next period' }).click();
      await expectPage(event(page, 'Report')).toBeVisible();
      await page.goto('/calendar');
      await expectPage(page.getByRole('radio', { name: 'Day' })).toBeChecked();
      await page.goBack();
      await page.getByText('Week', { exact: true }).click();
      await expectNarrow(page);
      expectNoProblems();
    });

    it('begins with the agenda on a narrow screen, and creates from there', async () => {
      const { page, expectNoProblems } = await fixture.visit('/calendar', { width: 360 });
      await expectPage(page.getByRole('radio', { name: 'Agenda' })).toBeChecked();
      await expectNarrow(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByRole('link', { name: 'New Call' }).click();
      await expectHeading(page, 'New Call');
      expectNoProblems();
    });

    it('overlays the calendars of others, whose events stay fixed without the right to change them', async () => {
      const api = fixture.api();
      const levels = { create: 'no', read: 'all', edit: 'own', delete: 'no' };
      const role = {
        name: 'Calendar reader',
        userCalendarPermission: 'all',
        data: { Meeting: levels, Calendar: true, User: { read: 'all', edit: 'no' } },
      };
      const { id: roleId } = recordIn(await api.post('/Role', role));
      const person = { userName: 'planner', lastName: 'Planner', type: 'regular', password };
      await api.post('/User', { ...person, rolesIds: [roleId] });
      const times = { dateStart: '2030-02-05 09:00:00', dateEnd: '2030-02-05 10:00:00' };
      const id = await make('Meeting', { name: 'Theirs', ...times });
      const { page, expectNoProblems } = await fixture.open('/calendar?view=week&date=2030-02-05');
      await signIn(page, person);
      await expectHeading(page, 'Calendar');
      await expectPage(page.getByRole('button', { name: 'New', exact: true })).toHaveCount(0);
      await page.getByRole('combobox', { name: 'People' }).fill('admin');
      await page.getByRole('option', { name: 'admin' }).click();
      await page.keyboard.press('Escape');
      await expectPage(event(page, 'Theirs')).toBeVisible();
      await expectPage(page.getByRole('list', { name: 'Calendar colors' })).toContainText(
        'Planner',
      );
      await drag(page, await pointIn(page, 'Theirs'), await slot(page, '2030-02-06', '13:00'));
      await event(page, 'Theirs').click();
      const dialog = page.getByRole('dialog', { name: 'Theirs' });
      await expectPage(
        dialog.getByText('You can only edit records that belong to you.'),
      ).toBeVisible();
      await expectPage(dialog.getByRole('button', { name: '1 day later' })).toHaveCount(0);
      expect(await timesOf('Meeting', id)).toMatchObject(times);
      expectNoProblems();
    });

    it('does not overwrite a change that the calendar does not show yet', async () => {
      const times = { dateStart: '2030-02-12 09:00:00', dateEnd: '2030-02-12 10:00:00' };
      const id = await make('Meeting', { name: 'Contested', ...times });
      const { page, expectNoProblems } = await fixture.visit('/calendar?view=week&date=2030-02-12');
      await event(page, 'Contested').click();
      const dialog = page.getByRole('dialog', { name: 'Contested' });
      const others = { dateStart: '2030-02-14 12:00:00', dateEnd: '2030-02-14 13:00:00' };
      await fixture.api().patch(`/Meeting/${id}`, others);
      await dialog.getByRole('button', { name: '1 day later' }).click();
      await expectPage(page.getByText('Someone else has changed this record')).toBeVisible();
      await expectPage(event(page, 'Contested')).toHaveAttribute('title', /Feb 14/);
      expect(await timesOf('Meeting', id)).toMatchObject(others);
      expectNoProblems();
    });
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns a point in the hours of a day, just below the beginning of a quarter of an hour. */
async function slot(page: Page, day: string, time: string): Promise<Point> {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const half = minute < 30 ? '00' : '30';
  const lane = page.locator(
    `.fc-timegrid-slot-lane[data-time="${String(hour).padStart(2, '0')}:${half}:00"]`,
  );
  const row = await lane.boundingBox();
  const column = await page.locator(`.fc-timegrid-col[data-date="${day}"]`).boundingBox();
  if (row === null || column === null) throw new Error(`${day} ${time} is not visible.`);
  const below = minute % 30 === 0 ? 3 : row.height / 2 + 3;
  return { x: column.x + column.width / 2, y: row.y + below };
}

async function boxOf(page: Page, name: string) {
  const box = await page.getByTitle(new RegExp(`^${name}, `)).boundingBox();
  if (box === null) throw new Error(`${name} is not visible.`);
  return box;
}

/** Returns a point near the beginning of an event. */
async function pointIn(page: Page, name: string): Promise<Point> {
  const { x, y, width } = await boxOf(page, name);
  return { x: x + width / 2, y: y + 8 };
}

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.move(to.x + 1, to.y);
  await page.mouse.up();
}
