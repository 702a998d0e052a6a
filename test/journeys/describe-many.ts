import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { listIn, recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, chooseMore, expectHeading } from './use-console.ts';

export function describeMany(fixture: ConsoleFixture): void {
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await fixture.api().post(`/${entity}`, values)).id;

  describe('several selected records', () => {
    it('are edited together, and skipped records are listed with reasons', async () => {
      const ids = [];
      for (const number of [1, 2, 3])
        ids.push(await make('Task', { assignedUserId: 'admin', name: `Batch ${number}` }));
      const { page, expectNoProblems } = await fixture.visit('/records/Task?q=Batch&sort=name');
      for (const number of [1, 2, 3]) await page.getByLabel(`Select Batch ${number}`).check();
      await expectPage(page.getByText('3 records selected')).toBeVisible();
      await fixture.api().delete(`/Task/${ids[1]}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Add a field').fill('Priority');
      await page.getByRole('option', { name: 'Priority' }).click();
      await dialog.getByLabel('Priority', { exact: true }).selectOption('Urgent');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Edit 3 records' }).click();
      await expectPage(dialog).toBeHidden();
      await expectPage(page.getByText('Succeeded for 2 of 3 records.')).toBeVisible();
      const skipped = page.getByRole('table', { name: 'Skipped' });
      await expectPage(skipped.getByRole('row', { name: 'Record was deleted' })).toContainText('1');
      await expectAccessible(page);
      expect((await fixture.api().get(`/Task/${ids[0]}`)).body).toMatchObject({
        priority: 'Urgent',
      });
      await page.reload();
      await expectPage(page.getByText('Succeeded for 2 of 3 records.')).toBeVisible();
      expectNoProblems();
    });

    it('are deleted for a whole search result after the user enters their number, and restored by Undo', async () => {
      for (const number of [1, 2, 3, 4])
        await make('Task', { assignedUserId: 'admin', name: `Sweep ${number}` });
      const { page, expectNoProblems } = await fixture.visit('/records/Task?q=Sweep');
      await page.getByLabel('Select all results').check();
      await expectPage(page.getByText('All 4 results are selected')).toBeVisible();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
      await dialog.getByLabel('Type 4 to continue').fill('4');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expectPage(page.getByText('Succeeded for 4 of 4 records.')).toBeVisible();
      await expectPage(page.getByText('No matches')).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPage(page.getByText('Change undone')).toBeVisible();
      await expectPage(page.getByRole('link', { name: /^Sweep/ })).toHaveCount(4);
      await expectPage(page.getByText('Succeeded for 4 of 4 records.')).toBeHidden();
      expectNoProblems();
    });

    it('stop being processed when the user presses Stop', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Task');
      const known = await make('Task', { assignedUserId: 'admin', name: 'Skipped one' });
      let status = 'Running';
      const skipped = [{ reason: 'record.invalid', count: 2, ids: [known, 'gone'] }];
      const answer = () => ({ status, processedCount: 7, recordCount: 20, skipped });
      await page.route('**/api/v1/MassAction/slow/status', async (route) =>
        route.fulfill({ json: answer() }),
      );
      await page.route('**/api/v1/MassAction/slow/cancel', async (route) => {
        status = 'Cancelled';
        await route.fulfill({ json: answer() });
      });
      await page.goto('/records/Task?action=slow');
      await expectPage(page.getByText('7 of 20 done')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Stop' }).click();
      await expectPage(page.getByText('Succeeded for 7 of 20 records.')).toBeVisible();
      const table = page.getByRole('table', { name: 'Skipped' });
      await expectPage(table.getByRole('link')).toHaveText(['Skipped one', 'gone']);
      expectNoProblems();
    });

    it('have no actions for a user with read-only access', async () => {
      const role = { name: 'Onlooker', data: { Task: { read: 'all', create: 'no' } } };
      const { id } = recordIn(await fixture.api().post('/Role', role));
      const person = { userName: 'onlooker', password: 'correct horse battery' };
      await make('User', { ...person, lastName: 'Onlooker', type: 'regular', rolesIds: [id] });
      const task = await make('Task', { assignedUserId: 'admin', name: 'Looked at' });
      const { page, expectNoProblems } = await fixture.open('/records/Task');
      await signIn(page, person);
      await expectPage(page.getByRole('link', { name: 'Looked at' })).toBeVisible();
      await expectPage(page.getByRole('checkbox')).toHaveCount(0);
      // Neither exports nor API requests.
      await expectPage(page.getByRole('button', { name: 'More actions' })).toHaveCount(0);
      await expectPage(page.getByRole('link', { name: 'New Task' })).toHaveCount(0);
      await page.goto(`/records/Task/${task}`);
      await expectHeading(page, 'Looked at');
      for (const name of ['Edit', 'Delete']) {
        await expectPage(page.getByRole('button', { name }), name).toHaveCount(0);
      }
      expectNoProblems();
    });

    it('are exported with the columns, sort order and filter of the list', async () => {
      for (const name of ['Export b', 'Export a', 'Stays here']) {
        await make('Account', { name, website: `https://${name.at(-1)}.example` });
      }
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?q=Export&sort=name&columns=name,website',
      );
      await chooseMore(page, 'Export');
      await expectPage(page.getByRole('dialog').getByText('2 records, sorted')).toBeVisible();
      await expectAccessible(page);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('Export_Account.csv');
      expect(readFileSync(await file.path(), 'utf8').split('\r\n')).toEqual([
        'name,website',
        'Export a,https://a.example',
        'Export b,https://b.example',
        '',
      ]);
      expectNoProblems();
    });

    it('are merged with the values that the user chooses', async () => {
      const keeps = await make('Account', { name: 'Twin', website: 'https://one.example' });
      const goes = await fixture
        .api()
        .post(
          '/Account',
          { name: 'Twin two', website: 'https://two.example', type: 'Partner' },
          { 'X-Skip-Duplicate-Check': 'true' },
        );
      const { page, expectNoProblems } = await fixture.visit('/records/Account?q=Twin&sort=name');
      await page.getByLabel('Select Twin', { exact: true }).check();
      await page.getByLabel('Select Twin two').check();
      await page.getByRole('button', { name: 'Merge' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'Type, Twin two: Partner' }).check();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Merge 2 records' }).click();
      await expectHeading(page, 'Twin');
      expect((await fixture.api().get(`/Account/${keeps}`)).body).toMatchObject({
        name: 'Twin',
        website: 'https://one.example',
        type: 'Partner',
      });
      expect((await fixture.api().get(`/Account/${recordIn(goes).id}`)).body).toMatchObject({
        deleted: true,
      });
      expectNoProblems();
    });
  });

  describe('the console', () => {
    it('undoes a change and a deletion', async () => {
      const id = await make('Account', { name: 'Undone', website: 'https://before.example' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}?mode=edit`, {
        expectedStatuses: [404],
      });
      await page.getByLabel('Website').fill('https://after.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('tabpanel').getByText('after.example')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPage(page.getByRole('tabpanel').getByText('before.example')).toBeVisible();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expectHeading(page, 'Accounts');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPage(page.getByRole('link', { name: 'Undone', exact: true })).toBeVisible();
      expect((await fixture.api().get(`/Account/${id}`)).body).toMatchObject({
        website: 'https://before.example',
      });
      expectNoProblems();
    });

    it('compares a new record with possible duplicates and creates it anyway', async () => {
      await make('Account', { name: 'Like this', website: 'https://known.example' });
      const { page, expectNoProblems } = await fixture.visit('/create/Account', {
        expectedStatuses: [409],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Like this');
      await page.getByLabel('Website').fill('https://new.example');
      await page.getByRole('button', { name: 'Save' }).click();
      const table = page.getByRole('table', { name: 'Possible duplicates' });
      await expectPage(table.getByRole('link', { name: 'Like this' })).toBeVisible();
      await expectPage(
        table.getByRole('row', { name: 'Website new.example known.example' }),
      ).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create anyway' }).click();
      await expectHeading(page, 'Like this');
      const query = new URLSearchParams({ textFilter: 'Like this' });
      expect(listIn(await fixture.api().get(`/Account?${query}`)).total).toBe(2);
      expectNoProblems();
    });
  });

  describe('the console', () => {
    it('saves, opens and deletes a named view', async () => {
      await make('Account', { name: 'Viewed' });
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?q=Viewed&columns=name,website&sort=-name',
      );
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('View name').fill('The viewed');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save view' }).click();
      await expectPage(page.getByRole('button', { name: 'The viewed', exact: true })).toBeVisible();
      await page.goto('/records/Account');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('link', { name: 'The viewed' }).click();
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      expect(new URL(page.url()).searchParams.get('columns')).toBe('name,website');
      await page.getByRole('button', { name: 'The viewed', exact: true }).click();
      await page.getByRole('button', { name: 'Delete view The viewed' }).click();
      await expectPage(page.getByText('No saved views yet.')).toBeVisible();
      expectNoProblems();
    });

    it('converts a lead into an account and a contact', async () => {
      const lead = { firstName: 'Lea', lastName: 'Converted', accountName: 'Converted Ltd' };
      const id = await make('Lead', { ...lead, website: 'https://converted.example' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Lead/${id}`, {
        expectedStatuses: [400],
      });
      await page.getByRole('link', { name: 'Convert', exact: true }).click();
      await expectHeading(page, 'Convert Lea Converted');
      const account = page.getByRole('group', { name: 'Account' });
      await expectPage(account.getByLabel('Website')).toHaveValue('https://converted.example');
      await expectAccessible(page);
      await account.getByLabel('Name').fill('');
      await page.getByRole('button', { name: 'Convert' }).click();
      await expectPage(account.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
      await account.getByLabel('Name').fill('Converted Inc');
      await page.getByRole('button', { name: 'Convert' }).click();
      await expectHeading(page, 'Lea Converted');
      await expectPage(
        page.getByRole('tabpanel').getByText('Converted', { exact: true }),
      ).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Convert', exact: true })).toHaveCount(0);
      expect((await fixture.api().get(`/Lead/${id}`)).body).toMatchObject({
        status: 'Converted',
        createdAccountName: 'Converted Inc',
        createdContactName: 'Lea Converted',
      });
      expectNoProblems();
    });

    it('names a new document after its file', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Document');
      await dropFile(page, page.getByText('Choose a file'), 'Offer.txt');
      await expectPage(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Offer.txt');
      await page.getByRole('textbox', { name: 'Publish date' }).fill('01/31/2030');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Offer.txt');
      await expectPage(page.getByRole('link', { name: 'Offer.txt' })).toBeVisible();
      expectNoProblems();
    });

    it('uploads files dropped on a record or its stream and edits the followers', async () => {
      const id = await make('Case', { name: 'Holds files' });
      const { page, expectNoProblems } = await fixture.visit(`/records/Case/${id}`);
      await dropFile(page, page.getByText('or drop them here'), 'on-record.txt');
      await expectPage(page.getByRole('link', { name: 'on-record.txt' })).toBeVisible();
      await expectAccessible(page);
      const aside = page.getByRole('region', { name: 'About this record' });
      await dropFile(page, aside.getByRole('button', { name: 'Attachments' }), 'on-stream.txt');
      await expectPage(page.getByRole('link', { name: 'on-stream.txt' })).toBeVisible();
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      const posts = page.getByRole('list', { name: 'Activity' });
      await expectPage(posts.getByRole('link', { name: 'on-stream.txt' })).toBeVisible();
      await expectPage(page.getByRole('heading', { name: '1 follower' })).toBeVisible();
      await page.getByRole('combobox', { name: 'Add follower' }).fill('user');
      await page.getByRole('option', { name: 'user', exact: true }).click();
      await expectPage(page.getByRole('heading', { name: '2 followers' })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Remove follower user' }).click();
      await page.getByRole('button', { name: 'Unfollow' }).click();
      await expectPage(page.getByText('No followers yet')).toBeVisible();
      expectNoProblems();
    });
  });
}

/** Simulates dragging a file from another window. */
async function dropFile(page: Page, target: Locator, name: string): Promise<void> {
  await target.waitFor();
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['hi'], ${JSON.stringify(name)}, { type: 'text/plain' }));
      return transfer;
    })()`,
  );
  await target.dispatchEvent('dragover', { dataTransfer });
  await target.dispatchEvent('drop', { dataTransfer });
}
