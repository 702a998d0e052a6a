import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import type { ConsoleFixture } from './use-console.ts';

export function describeCells(fixture: ConsoleFixture): void {
  const make = async (type: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${type}`, values)).id;
  const read = async (path: string) => (await fixture.api().get(path)).body;
  const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const cellOf = (page: Page, row: string, column: number) =>
    rowOf(page, row).getByRole('cell').nth(column);
  const pencils = (page: Page) => page.getByRole('button', { name: /^Change / });

  describe('a cell of a list', () => {
    it('is edited with the mouse in place and saved with Enter', async () => {
      const [first] = await Promise.all(
        ['one', 'two'].map((name) =>
          make('Task', { name: `Cell ${name}`, assignedUserId: 'admin' }),
        ),
      );
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Task?q=Cell&sort=name&columns=name,status',
      );
      await page.getByLabel('Select Cell two').check();
      await expectPage(pencils(page)).toHaveCount(0);
      await cellOf(page, 'Cell one', 2).hover();
      await rowOf(page, 'Cell one').getByRole('button', { name: 'Change Status' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change Status' });
      await expectPage(dialog.getByLabel('Status', { exact: true })).toBeFocused();
      await expectAccessible(page);
      await dialog.getByLabel('Status', { exact: true }).selectOption('Completed');
      await page.keyboard.press('Enter');
      await expectPage(dialog).toHaveCount(0);
      await expectPage(rowOf(page, 'Cell one')).toContainText('Completed');
      await expectPage(page.getByText('1 record selected')).toBeVisible();
      expect(await read(`/Task/${first}`)).toMatchObject({ status: 'Completed' });
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expectPage(rowOf(page, 'Cell one')).toContainText('Not Started');

      await cellOf(page, 'Cell one', 1).hover();
      await rowOf(page, 'Cell one').getByRole('button', { name: 'Change Name' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Cell renamed');
      // Leaving the editor saves, too.
      await page.getByRole('heading', { level: 1 }).click();
      await expectPage(page.getByRole('link', { name: 'Cell renamed' })).toBeVisible();
      expect(await read(`/Task/${first}`)).toMatchObject({ name: 'Cell renamed' });
      expectNoProblems();
    });

    it('is edited with the keyboard alone, and keeps its value after Escape', async () => {
      const id = await make('Account', { name: 'Keys one', sicCode: '1', industry: 'Banking' });
      await make('Account', { name: 'Keys two', sicCode: '2' });
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?q=Keys&sort=name&columns=name,sicCode,industry,createdAt',
      );
      const code = cellOf(page, 'Keys one', 2);
      await page.getByRole('region', { name: 'Accounts records' }).focus();
      await expectPage(cellOf(page, 'Keys one', 1)).toHaveAttribute('tabindex', '0');
      await cellOf(page, 'Keys one', 1).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await expectPage(cellOf(page, 'Keys two', 2)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expectPage(code).toBeFocused();
      await page.keyboard.press('Enter');
      const input = page.getByRole('dialog').getByLabel('SIC code', { exact: true });
      await expectPage(input).toBeFocused();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('42');
      await page.keyboard.press('Enter');
      await expectPage(code).toHaveText('42');
      await expectPage(code).toBeFocused();
      expect(await read(`/Account/${id}`)).toMatchObject({ sicCode: '42' });

      await page.keyboard.press('F2');
      await expectPage(input).toBeFocused();
      await page.keyboard.type('discarded');
      await page.keyboard.press('Escape');
      await expectPage(page.getByRole('dialog')).toHaveCount(0);
      await expectPage(code).toBeFocused();
      await expectPage(code).toHaveText('42');
      expect(await read(`/Account/${id}`)).toMatchObject({ sicCode: '42' });

      // The server sets the time of creation.
      await cellOf(page, 'Keys one', 4).hover();
      await expectPage(page.getByRole('button', { name: 'Change Created at' })).toHaveCount(0);
      await cellOf(page, 'Keys one', 3).dblclick();
      await expectPage(page.getByRole('dialog', { name: 'Change Industry' })).toBeVisible();
      expectNoProblems();
    });

    it('edits the latest version of its record, and compares a change that was made meanwhile', async () => {
      const id = await make('Account', { name: 'Raced', sicCode: '1' });
      const { page } = await fixture.visit('/records/Account?q=Raced&columns=name,sicCode', {
        expectedStatuses: [412],
      });
      await expectPage(cellOf(page, 'Raced', 2)).toHaveText('1');
      await fixture.api().patch(`/Account/${id}`, { sicCode: '2' });
      await cellOf(page, 'Raced', 2).dblclick();
      const input = page.getByRole('dialog').getByLabel('SIC code', { exact: true });
      await expectPage(input).toHaveValue('2');
      await fixture.api().patch(`/Account/${id}`, { sicCode: '3' });
      await input.fill('4');
      await page.keyboard.press('Enter');
      await expectPage(page.getByRole('radio', { name: '4' })).toBeChecked();
      await expectAccessible(page);
      await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click();
      await expectPage(cellOf(page, 'Raced', 2)).toHaveText('4');
      expect(await read(`/Account/${id}`)).toMatchObject({ sicCode: '4' });
    });

    it('has no pencil where the user may not edit the record or the field, and on narrow screens', async () => {
      const password = 'correct horse battery';
      const account = { create: 'yes', read: 'all', edit: 'own', delete: 'no', stream: 'no' };
      const fieldData = { Account: { industry: { read: 'yes', edit: 'no' } } };
      const role = { name: 'Own cells', data: { Account: account }, fieldData };
      const rolesIds = [await make('Role', role)];
      const person = { userName: 'cells', lastName: 'Cells', type: 'regular', rolesIds };
      const userId = await make('User', { ...person, password });
      await make('Account', { name: 'Denied own', assignedUserId: userId, sicCode: '1' });
      await make('Account', { name: 'Denied foreign', sicCode: '2' });
      const { page, expectNoProblems } = await fixture.open(
        '/records/Account?q=Denied&columns=name,sicCode,industry',
      );
      await signIn(page, { userName: 'cells', password });
      // Without a checkbox, the cells start with the name.
      await cellOf(page, 'Denied own', 1).hover();
      await expectPage(pencils(page)).toHaveCount(1);
      await cellOf(page, 'Denied own', 2).hover();
      await expectPage(pencils(page)).toHaveCount(0);
      await cellOf(page, 'Denied foreign', 1).hover();
      await expectPage(pencils(page)).toHaveCount(0);
      await cellOf(page, 'Denied foreign', 1).dblclick();
      await expectPage(page.getByRole('dialog')).toHaveCount(0);
      await page.setViewportSize({ width: 360, height: 800 });
      await rowOf(page, 'Denied own').getByText('1', { exact: true }).hover();
      await expectPage(pencils(page)).toHaveCount(0);
      expectNoProblems();
    });
  });
}
