import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const everything = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

export function describeMerge(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${entity}`, values)).id;

  describe('a merge', () => {
    it('keeps the oldest record and every value, redirects the old URL and can be undone', async () => {
      const role = { name: 'Merging', data: { Account: everything, Contact: everything } };
      const person = { userName: 'merging', password: 'correct horse battery' };
      const roleId = await make('Role', role);
      await make('User', { ...person, lastName: 'Merging', type: 'regular', rolesIds: [roleId] });
      const keptId = await make('Account', { name: 'Merged old' });
      const { page, expectNoProblems } = await fixture.open(
        '/records/Account?q=Merged&sort=-createdAt',
        { expectedStatuses: [404] },
      );
      await signIn(page, person);
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      // Creation times have seconds.
      await page.waitForTimeout(1_100);
      const goneId = await make('Account', { name: 'Merged new', type: 'Partner' });
      await make('Contact', { lastName: 'Linked', accountId: goneId });
      await page.reload();
      await page.getByLabel('Select Merged new').check();
      await page.getByLabel('Select Merged old').check();
      await page.getByRole('button', { name: 'Merge' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(
        dialog.getByRole('radio', { name: 'Merged old', exact: true }),
      ).toBeChecked();
      await expectPage(
        dialog.getByRole('radio', { name: 'Type, Merged new: Partner' }),
      ).toBeChecked();
      await expectPage(dialog.getByText('1 linked record', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Merge 2 records' }).click();
      await expectHeading(page, 'Merged old');
      expect((await fixture.api().get(`/Account/${keptId}`)).body).toMatchObject({
        type: 'Partner',
      });
      await expectPage(page.getByText('1 record was merged into')).toBeVisible();

      const other = await page.context().newPage();
      await other.goto(`/records/Account/${goneId}`);
      await expectHeading(other, 'Merged old');
      await expectPage(other).toHaveURL(new RegExp(`/records/Account/${keptId}$`));
      await expectPage(other.getByText('was merged into this one')).toBeVisible();
      await other.close();

      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPage(page.getByText('Change undone')).toBeVisible();
      await page.goto(`/records/Account/${goneId}`);
      await expectHeading(page, 'Merged new');
      expectNoProblems();
    });
  });
}
