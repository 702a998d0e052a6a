import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

export function describeUndo(fixture: ConsoleFixture): void {
  describe('undo', () => {
    it('restores what a user has deleted, from the notice and from the bin', async () => {
      const password = 'correct horse battery';
      const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'no' };
      const role = recordIn(
        await fixture.api().post('/Role', { name: 'Sales', data: { Account: all } }),
      );
      const user = { userName: 'sales', lastName: 'Sales', type: 'regular', rolesIds: [role.id] };
      recordIn(await fixture.api().post('/User', { ...user, password }));
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Thrown away' }));
      const { page, expectNoProblems } = await fixture.open('/', { expectedStatuses: [404] });
      await signIn(page, { userName: 'sales', password });
      await expectHeading(page, 'Home');
      const remove = async () => {
        await page.goto(`/records/Account/${id}`);
        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await expectHeading(page, 'Accounts');
      };
      await remove();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expectPage(page.getByText('Change undone')).toBeVisible();
      await remove();

      await page.goto(`/records/Account/${id}`);
      await expectPage(page.getByText(/^Sales deleted this record/)).toBeVisible();
      await page.getByRole('link', { name: 'Bin', exact: true }).click();
      await expectHeading(page, 'Bin');
      await expectPage(page.getByRole('link', { name: 'Thrown away' })).toBeVisible();
      await expectAccessible(page);
      await expectNarrow(page);
      await page.getByRole('button', { name: 'Restore Thrown away' }).click();
      await expectPage(page.getByText('Thrown away was restored.')).toBeVisible();
      await expectPage(page.getByText('The bin is empty')).toBeVisible();
      await page.goto(`/records/Account/${id}`);
      await expectHeading(page, 'Thrown away');
      expectNoProblems();
    });

    it('undoes single changes and changes of several records from the list of recent changes', async () => {
      const api = fixture.api();
      const ids: string[] = [];
      for (const name of ['Recent One', 'Recent Two']) {
        ids.push(recordIn(await api.post('/Account', { name })).id);
      }
      await api.patch(`/Account/${ids[0]}`, { website: 'https://wrong.example' });
      const values = { industry: 'Banking' };
      const changed = await api.post('/MassAction', {
        entityType: 'Account',
        action: 'update',
        params: { ids },
        data: { values },
      });
      expect(changed.status, changed.text).toBe(200);
      const { page, expectNoProblems } = await fixture.visit('/recent');
      await expectHeading(page, 'My recent changes');
      await expectAccessible(page);
      await expectNarrow(page);
      const single = page.getByRole('row').filter({ hasText: 'Changed: Website' });
      await single.getByRole('button', { name: /^Undo/ }).click();
      await expectPage(page.getByText('Change undone').first()).toBeVisible();
      await expectPage(single.getByText('Undone')).toBeVisible();
      const several = page.getByRole('row').filter({ hasText: 'Changed several records' });
      await several.getByRole('button', { name: /^Undo/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
      await expectPage(dialog.getByText('This changes 2 records.')).toBeVisible();
      await dialog.getByRole('button', { name: 'Undo' }).click();
      await expectPage(several.getByText('Undone')).toBeVisible();
      const read = async (id: string) => (await api.get(`/Account/${id}`)).body;
      expect(await read(ids[0] ?? '')).toMatchObject({ website: null, industry: null });
      expect(await read(ids[1] ?? '')).toMatchObject({ industry: null });
      expectNoProblems();
    });
  });
}
