import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

export function describeConflict(fixture: ConsoleFixture): void {
  describe('two users who edit the same record', () => {
    it('see both values of a field and keep the changes to other fields', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Both', industry: 'Banking' }));
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?mode=edit`, {
        expectedStatuses: [412],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
      await page.getByLabel('Description').fill('Only mine');
      await api.patch(`/Account/${id}`, { name: 'Theirs', website: 'https://theirs.example' });
      await page.getByRole('button', { name: 'Save' }).click();

      const dialog = page.getByRole('dialog', { name: 'This record has changed' });
      await expectPage(dialog.getByRole('link', { name: 'admin' })).toBeVisible();
      await expectPage(dialog.getByText('Changed by others, and kept: Website')).toBeVisible();
      await expectPage(dialog.getByRole('radio')).toHaveCount(2);
      await expectPage(dialog.getByRole('radio', { name: 'Mine' })).toBeChecked();
      await expectAccessible(page);
      await dialog.getByRole('radio', { name: 'Theirs' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Theirs');
      const { body } = await api.get(`/Account/${id}`);
      expect(body).toMatchObject({
        name: 'Theirs',
        website: 'https://theirs.example',
        description: 'Only mine',
      });
      expectNoProblems();
    });

    it('keep their input when they close the comparison and can reopen it', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Kept' }));
      const { page } = await fixture.visit(`/records/Account/${id}?mode=edit`, {
        expectedStatuses: [412],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
      await api.patch(`/Account/${id}`, { website: 'https://theirs.example' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expectPage(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
        'Mine',
      );
      await page.getByRole('button', { name: 'Compare changes' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByText('changed different fields')).toBeVisible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Mine');
      const { body } = await api.get(`/Account/${id}`);
      expect(body).toMatchObject({ name: 'Mine', website: 'https://theirs.example' });
    });
  });
}
