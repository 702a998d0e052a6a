import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, chooseMore } from './use-console.ts';

export function describeLists(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${entity}`, values)).id;

  describe('the selection of a list', () => {
    it('keeps the table in place, extends to a range and determines the export', async () => {
      for (const number of [1, 2, 3, 4, 5]) await make('Account', { name: `Range ${number}` });
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?q=Range&sort=name&columns=name',
      );
      const select = (number: number) => page.getByLabel(`Select Range ${number}`);
      const table = page.getByRole('table', { name: 'Accounts records' });
      await expectPage(page.getByText('5 records', { exact: true })).toBeVisible();
      const before = await table.boundingBox();
      await select(2).check();
      await expectPage(page.getByText('1 record selected')).toBeVisible();
      expect(await table.boundingBox()).toEqual(before);
      await select(4).click({ modifiers: ['Shift'] });
      await expectPage(page.getByText('3 records selected')).toBeVisible();
      await expectPage(select(3)).toBeChecked();
      await expectAccessible(page);
      await chooseMore(page, 'Export');
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByText('3 selected records')).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await select(2).click({ modifiers: ['Shift'] });
      await expectPage(page.getByText('5 records', { exact: true })).toBeVisible();
      expectNoProblems();
    });

    it('can exclude single rows from all results', async () => {
      const ids = [];
      for (const number of [1, 2, 3]) ids.push(await make('Account', { name: `Spare ${number}` }));
      const { page, expectNoProblems } = await fixture.visit('/records/Account?q=Spare&sort=name');
      await page.getByLabel('Select all results').check();
      await expectPage(page.getByText('All 3 results are selected')).toBeVisible();
      await page.getByLabel('Select Spare 2').uncheck();
      await expectPage(page.getByText('2 records selected')).toBeVisible();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Type 2 to continue').fill('2');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expectPage(page.getByText('Succeeded for 2 of 2 records.')).toBeVisible();
      const deleted = [];
      for (const id of ids) {
        const { body } = await fixture.api().get(`/Account/${id}`);
        deleted.push(Object(body)['deleted']);
      }
      expect(deleted).toEqual([true, false, true]);
      expectNoProblems();
    });
  });

  describe('the quick filters of a list', () => {
    it('combine the state and the owner of records and are kept in the URL', async () => {
      const other = { userName: 'quick', lastName: 'Quick', type: 'regular' };
      const otherId = await make('User', { ...other, password: 'correct horse battery' });
      await make('Task', { name: 'Quick mine', assignedUserId: 'admin' });
      await make('Task', { name: 'Quick done', assignedUserId: 'admin', status: 'Completed' });
      await make('Task', { name: 'Quick other', assignedUserId: otherId });
      const { page, expectNoProblems } = await fixture.visit('/records/Task?q=Quick');
      await expectPage(page.getByText('3 records', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Mine' }).click();
      await expectPage(page.getByText('2 records', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Completed' }).click();
      await expectPage(page.getByRole('link', { name: 'Quick done' })).toBeVisible();
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await expectPage(page.getByRole('link', { name: 'Quick mine' })).toBeVisible();
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.reload();
      await expectPage(page.getByRole('button', { name: 'Open', exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Starred' }).click();
      await expectPage(page.getByText('No matches')).toBeVisible();
      expectNoProblems();
    });
  });

  describe('the filter of a list', () => {
    it('finds a city and own records and shows each condition until it is removed', async () => {
      const bonn = { billingAddressCity: 'Bonn', assignedUserId: 'admin' };
      await make('Account', { name: 'Filter one', ...bonn });
      await make('Account', { name: 'Filter two', billingAddressCity: 'Bonn' });
      await make('Account', { name: 'Filter three', assignedUserId: 'admin' });
      const { page, expectNoProblems } = await fixture.visit('/records/Account?q=Filter');
      const pick = async (typed: string, option: string, line: number): Promise<void> => {
        await page.getByRole('combobox', { name: 'Field or link' }).nth(line).fill(typed);
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await pick('billing city', 'Billing city', 0);
      await page.getByRole('textbox', { name: 'Value' }).fill('Bonn');
      await page.getByRole('button', { name: 'Add condition' }).click();
      await pick('assigned', 'Assigned user', 1);
      await page.getByLabel('Me', { exact: true }).check();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Apply' }).click();
      await expectPage(page.getByRole('link', { name: 'Filter one' })).toBeVisible();
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Remove filter: Assigned user is Me' }).click();
      await expectPage(page.getByText('2 records', { exact: true })).toBeVisible();
      expectNoProblems();
    });
  });

  describe('the columns of a list', () => {
    it('keep their choice, order, width and sort order on all devices', async () => {
      await make('Campaign', { name: 'Arranged one' });
      await make('Campaign', { name: 'Arranged two' });
      const { page, expectNoProblems } = await fixture.visit('/records/Campaign');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Description' }).check();
      const handle = page.getByRole('button', { name: 'Move Description' });
      await handle.focus();
      await page.keyboard.press('Space');
      await expectPage(page.getByText('Description is now at Description.')).toBeAttached();
      await page.keyboard.press('ArrowUp');
      await expectPage(page.getByText(/^Description is now at (?!Description)/)).toBeAttached();
      await page.keyboard.press('Space');
      await expectPage(page.getByText(/^Description was dropped at/)).toBeAttached();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      const headers = page.getByRole('columnheader');
      const order = await headers.allInnerTexts();
      expect(order.findIndex((text) => text.startsWith('Description'))).toBe(order.length - 2);
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await expectPage(page.getByRole('columnheader', { name: /Name/ })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      const separator = page.getByRole('separator', { name: 'Width of Name' });
      const before = await separator.locator('..').evaluate((cell) => cell.clientWidth);
      await separator.focus();
      await page.keyboard.press('ArrowRight');
      await expectPage(separator).toHaveAttribute('aria-valuenow', String(before + 16));
      const stored = page.waitForResponse(
        (response) => response.url().includes('/Preferences/') && response.ok(),
      );
      await separator.hover();
      const box = await separator.boundingBox();
      if (box === null) throw new Error('The handle is not visible.');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.down();
      await page.mouse.move(x + 30, y, { steps: 3 });
      await page.mouse.up();
      await stored;
      await expectPage(separator).toHaveAttribute('aria-valuenow', String(before + 46));
      expectNoProblems();

      const other = await fixture.visit('/records/Campaign');
      const shown = other.page.getByRole('columnheader');
      await expectPage(shown).toHaveCount(order.length);
      expect((await shown.allInnerTexts()).map((text) => text.replace(/ [↑↓]$/, ''))).toEqual(
        order.map((text) => text.replace(/ [↑↓]$/, '')),
      );
      await expectPage(other.page.getByRole('columnheader', { name: /Name/ })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      await expectPage(
        other.page.getByRole('separator', { name: 'Width of Name' }),
      ).toHaveAttribute('aria-valuenow', String(before + 46));
      await other.page.getByRole('button', { name: 'Columns' }).click();
      await other.page.getByRole('button', { name: 'Default columns' }).click();
      await expectPage(other.page.getByRole('columnheader', { name: 'Description' })).toHaveCount(
        0,
      );
      other.expectNoProblems();
    });
  });

  describe('a view of a list', () => {
    it('is shared with a team, whose members see it and cannot change it', async () => {
      const teamId = await make('Team', { name: 'Viewers' });
      const data = { Account: { create: 'yes', read: 'all', edit: 'all', delete: 'no' } };
      const roleId = await make('Role', { name: 'Viewing', data });
      const password = 'correct horse battery';
      const ids: string[] = [];
      for (const userName of ['ann-views', 'bob-views']) {
        const person = { userName, lastName: userName, type: 'regular', password };
        ids.push(await make('User', { ...person, rolesIds: [roleId], teamsIds: [teamId] }));
      }
      const options = { expectedStatuses: [401] };
      const { page, context } = await fixture.open('/records/Account?q=shared', options);
      await signIn(page, { userName: 'ann-views', password });
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByLabel('View name').fill('For us');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('button', { name: 'Share view For us' }).click();
      await page.getByRole('checkbox', { name: 'Viewers' }).click();
      await expectPage(page.getByRole('checkbox', { name: 'Viewers' })).toBeChecked();
      await expectAccessible(page);
      await expectPage(page.getByRole('button', { name: 'For us', exact: true })).toBeVisible();
      const stored = async () => (await fixture.api().get(`/Preferences/${ids[0]}`)).text;
      await expectPage.poll(stored).toContain(teamId);

      await context.clearCookies();
      await page.goto('/records/Account');
      await signIn(page, { userName: 'bob-views', password });
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await expectPage(page.getByText('by ann-views')).toBeVisible();
      await expectPage(page.getByRole('button', { name: /^(?:Delete|Share) view/ })).toHaveCount(0);
      await page.getByRole('link', { name: 'For us' }).click();
      await expectPage(page).toHaveURL(/q=shared/);
    });
  });
}
