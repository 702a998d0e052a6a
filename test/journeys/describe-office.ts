import type { Locator, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const password = 'correct horse battery';
const ofTeam = { create: 'yes', read: 'team', edit: 'team', delete: 'own', stream: 'team' };

/** Creates a salesperson of a team, with the given role, and returns their credentials and ids. */
async function makeSalesperson(fixture: ConsoleFixture, userName: string, role: object = {}) {
  const api = fixture.api();
  const { id: teamId } = recordIn(await api.post('/Team', { name: `Team of ${userName}` }));
  const { id: roleId } = recordIn(
    await api.post('/Role', {
      name: `Role of ${userName}`,
      assignmentPermission: 'team',
      data: {
        Account: ofTeam,
        Contact: ofTeam,
        Meeting: ofTeam,
        Task: ofTeam,
        User: { read: 'all' },
      },
      ...role,
    }),
  );
  const { id } = recordIn(
    await api.post('/User', {
      userName,
      lastName: `Person ${userName}`,
      type: 'regular',
      password,
      rolesIds: [roleId],
      teamsIds: [teamId],
    }),
  );
  return { id, teamId, userName, password };
}

/** A tooltip is not part of a landmark. */
async function closeTooltip(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expectPage(page.getByRole('tooltip')).toHaveCount(0);
}

/** The section of a page with a heading. */
function panel(page: Page, name: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

export function describeOffice(fixture: ConsoleFixture): void {
  describe("a salesperson's first day", () => {
    it('assigns a new record to the salesperson if the role allows no other assignment', async () => {
      const person = await makeSalesperson(fixture, 'sales');
      const { page, expectNoProblems } = await fixture.open('/create/Account');
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First account');
      await expectPage(page.getByRole('combobox', { name: 'Assigned user' })).toHaveValue(
        'Person sales',
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'First account');
      await expectPage(page.getByRole('link', { name: 'Person sales' }).first()).toBeVisible();
      expectNoProblems();
    });

    it('starts with the tasks, activities and followed records of the salesperson', async () => {
      const person = await makeSalesperson(fixture, 'early', {
        data: {
          Account: ofTeam,
          Task: ofTeam,
          Meeting: ofTeam,
          Opportunity: ofTeam,
          Activities: true,
          User: { read: 'all' },
        },
      });
      const api = fixture.api();
      const mine = { assignedUserId: person.id, teamsIds: [person.teamId] };
      const opportunity = { amount: 1_200, amountCurrency: 'USD', ...mine };
      for (const [name, stage, closeDate] of [
        ['Next year', 'Proposal', '2040-01-31'],
        ['Forgotten', 'Negotiation', '2026-01-31'],
        ['Won', 'Closed Won', '2026-01-31'],
      ]) {
        recordIn(await api.post('/Opportunity', { ...opportunity, name, stage, closeDate }));
      }
      const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const account = recordIn(await api.post('/Account', { name: 'Followed', ...mine }));
      recordIn(await api.post('/Task', { name: 'Later', ...mine }));
      const late = { name: 'Late', dateEndDate: '2026-01-31', ...mine };
      recordIn(await api.post('/Task', { ...late, parentType: 'Account', parentId: account.id }));
      const meeting = {
        name: 'Kick-off',
        dateStart: `${soon} 09:00:00`,
        dateEnd: `${soon} 10:00:00`,
      };
      recordIn(await api.post('/Meeting', { ...meeting, ...mine }));
      const { page, expectNoProblems } = await fixture.open('/', { expectedStatuses: [403] });
      await signIn(page, person);
      await expectHeading(page, 'Home');
      const tasks = page.getByRole('list', { name: 'My open tasks' }).getByRole('listitem');
      await expectPage(tasks).toHaveText([/^Late.*Followed.*Overdue/, /^Later/]);
      await expectPage(panel(page, 'Next seven days')).toContainText(/Today.*Kick-off/);
      const open = page.getByRole('list', { name: 'My open Opportunities' });
      await expectPage(open.getByRole('listitem')).toHaveText([
        /^Forgotten.*Negotiation.*1,200.*Overdue/,
        /^Next year.*Proposal/,
      ]);
      const stream = panel(page, 'Records I follow');
      await expectPage(stream.getByRole('link', { name: 'Followed' }).first()).toBeVisible();
      await page.getByRole('button', { name: 'Complete Late', exact: true }).click();
      await expectPage(tasks).toHaveText([/^Later/]);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expectPage(tasks).toHaveText([/^Late.*Overdue/, /^Later/]);
      await expectAccessible(page);
      await expectNarrow(page);

      await page.route('**/Stream?*', (route) => route.fulfill({ status: 403 }));
      await page.reload();
      await expectPage(panel(page, 'Records I follow').getByRole('alert')).toBeVisible();
      await expectPage(tasks).toHaveText([/^Late.*Overdue/, /^Later/]);
      await expectAccessible(page);
      await panel(page, 'My open tasks').getByRole('link', { name: 'New Task' }).click();
      await expectHeading(page, 'New Task');
      expectNoProblems();
    });

    it('lists unread notifications without reading them, and links days to the calendar', async () => {
      const person = await makeSalesperson(fixture, 'informed', {
        data: { Account: ofTeam, Meeting: ofTeam, Activities: true, Calendar: true },
      });
      const mine = { assignedUserId: person.id, teamsIds: [person.teamId] };
      await fixture.api().post('/Account', { name: 'Handed over', ...mine });
      const { page, expectNoProblems } = await fixture.open('/');
      await signIn(page, person);
      const unread = panel(page, 'Unread notifications');
      await expectPage(unread.getByRole('link', { name: /Handed over/ })).toBeVisible();
      await expectAccessible(page);
      await expectNarrow(page);
      await page.reload();
      await unread.getByRole('button', { name: 'All notifications' }).click();
      const all = page.getByRole('dialog', { name: /^Notifications/ });
      await expectPage(all.getByRole('link', { name: /Handed over/ })).toBeVisible();
      await expectPage(unread).toHaveCount(0);
      await page.keyboard.press('Escape');
      await panel(page, 'Next seven days')
        .getByRole('link', { name: /^Today/ })
        .click();
      await expectHeading(page, 'Calendar');
      expect(new URL(page.url()).search).toMatch(/^\?view=day&date=\d{4}-\d\d-\d\d$/);
      expectNoProblems();
    });

    it('explains why records of other users cannot be changed', async () => {
      const person = await makeSalesperson(fixture, 'reader', {
        data: { Account: { ...ofTeam, read: 'all' } },
      });
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Of others' }));
      const { page, expectNoProblems } = await fixture.open(`/records/Account/${id}?mode=edit`);
      await signIn(page, person);
      await expectHeading(page, 'Of others');
      const edit = page.getByRole('button', { name: 'Edit' });
      await expectPage(edit).toBeDisabled();
      await edit.hover();
      await expectPage(page.getByRole('tooltip')).toHaveText(
        'You can only edit records that are assigned to you or to one of your teams.',
      );
      await expectPage(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
      await expectPage(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
      await closeTooltip(page);
      await expectAccessible(page);
      expectNoProblems();
    });

    it('plans a meeting that starts at the next half hour and turns it into an all-day event', async () => {
      const person = await makeSalesperson(fixture, 'planner');
      const { id: accountId } = recordIn(
        await fixture.api().post('/Account', { name: 'Met', assignedUserId: person.id }),
      );
      const { page, expectNoProblems } = await fixture.open('/create/Meeting');
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kick-off');
      const duration = page.getByLabel('Duration');
      await expectPage(duration.locator('option:checked')).toHaveText('1 h');
      const start = page.getByLabel(/^Start/);
      await expectPage(start).toHaveValue(/:(00|30) [AP]M$/);
      await start.fill('2030-01-31T10:00');
      await expectPage(page.getByLabel(/^End/)).toHaveValue('01/31/2030 11:00 AM');
      await duration.selectOption({ label: '30 min' });
      await expectPage(page.getByLabel(/^End/)).toHaveValue('01/31/2030 10:30 AM');
      await page.getByRole('combobox', { name: 'Related to', exact: true }).fill('Met');
      await page.getByRole('option', { name: 'Met', exact: true }).click();
      await page.getByRole('button', { name: 'Add reminder' }).click();
      await page.getByLabel('Reminder 1', { exact: true }).selectOption({ label: '5 min before' });
      await closeTooltip(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Kick-off');
      await expectPage(page.getByText(/^30 min/)).toBeVisible();
      await expectPage(page.getByText('5 min before', { exact: true })).toBeVisible();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const { body } = await fixture.api().get(`/Meeting/${id}`);
      expect(body).toMatchObject({
        dateStart: '2030-01-31 09:00:00',
        dateEnd: '2030-01-31 09:30:00',
        parentId: accountId,
        assignedUserId: person.id,
        reminders: [{ type: 'Popup', seconds: 300 }],
      });

      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('switch', { name: 'All day' }).check();
      await expectPage(page.getByLabel(/^End/)).toHaveValue('01/31/2030');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
      const allDay = await fixture.api().get(`/Meeting/${id}`);
      expect(allDay.body).toMatchObject({ dateStartDate: '2030-01-31', isAllDay: true });
      expectNoProblems();
    });

    it('shows and keeps every phone number of a contact with its type', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Contact');
      const number = (label: string) => page.getByRole('textbox', { name: label, exact: true });
      await number('Last name').fill('Two phones');
      await number('Phone number').fill('+49 171 1111111');
      await page.getByRole('button', { name: `Add: Phone number` }).click();
      await number(`Phone number 2`).fill('+49 30 2222222');
      await page.getByLabel(`Phone number 2: type`).selectOption('Office');
      await page.getByRole('button', { name: `Phone number 2: opted out` }).click();
      await closeTooltip(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Two phones');
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const read = async () => (await fixture.api().get(`/Contact/${id}`)).body;
      expect(await read()).toMatchObject({
        phoneNumberData: [
          { phoneNumber: '+491711111111', type: 'Mobile', primary: true, optOut: false },
          { phoneNumber: '+49302222222', type: 'Office', primary: false, optOut: true },
        ],
      });

      await page.getByRole('button', { name: 'Edit' }).click();
      await expectPage(number(`Phone number 2`)).toHaveValue('+49302222222');
      await number('Phone number').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('button', { name: 'Edit' })).toBeVisible();
      expect(await read()).toMatchObject({
        phoneNumber: '+49302222222',
        phoneNumberData: [{ phoneNumber: '+49302222222', type: 'Office', primary: true }],
      });
      expectNoProblems();
    });

    it('focuses the first invalid field, clears fixed errors and saves with Ctrl-S', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Contact', {
        expectedStatuses: [400],
      });
      await page.getByRole('textbox', { name: 'Email address', exact: true }).fill('nobody');
      await expectPage(page.getByRole('button', { name: 'Save' })).toBeInViewport();
      await page.keyboard.press('Control+s');
      const lastName = page.getByRole('textbox', { name: 'Last name', exact: true });
      await expectPage(lastName).toBeFocused();
      const email = page.getByRole('textbox', { name: 'Email address', exact: true });
      await expectPage(email).toHaveAttribute('aria-invalid', 'true');
      await email.fill('nobody@example.com');
      await expectPage(email).not.toHaveAttribute('aria-invalid', 'true');
      await expectPage(lastName).toHaveAttribute('aria-invalid', 'true');
      await lastName.fill('By keyboard');
      await page.keyboard.press('Control+s');
      await expectHeading(page, 'By keyboard');
      expectNoProblems();
    });

    it('explains that a type of record is not accessible', async () => {
      const person = await makeSalesperson(fixture, 'excluded');
      const { page, expectNoProblems } = await fixture.open('/records/Case');
      await signIn(page, person);
      await expectHeading(page, 'No access');
      await expectPage(page.getByText('this type of record (Case)')).toBeVisible();
      await page.goto('/create/Case');
      await expectHeading(page, 'No access');
      expectNoProblems();
    });

    it('explains at the field why an assignment is not allowed', async () => {
      const person = await makeSalesperson(fixture, 'unassigned');
      const { page, expectNoProblems } = await fixture.open('/create/Account', {
        expectedStatuses: [403],
      });
      await signIn(page, person);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Of a stranger');
      const field = page.getByRole('combobox', { name: 'Assigned user' });
      await field.fill('admin');
      await page.getByRole('option', { name: 'admin', exact: true }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(field).toHaveAttribute('aria-invalid', 'true');
      await expectPage(field).toHaveAccessibleDescription(
        'You can only assign this to yourself and to members of your teams.',
      );
      expectNoProblems();
    });
  });
}
