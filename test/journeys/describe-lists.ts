import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import type { ConsoleFixture } from './use-console.ts';

export function describeLists(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${entity}`, values)).id;

  describe('the selection of a list', () => {
    it('keeps the table in place, extends to a range and defines the export', async () => {
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
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByText('3 selected records as CSV')).toBeVisible();
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
    it('combine the state and the owner of records and stay in the address', async () => {
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
}
