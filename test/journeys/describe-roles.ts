import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

const password = 'correct horse battery';

export function describeRoles(fixture: ConsoleFixture): void {
  describe('the pages for roles and users', () => {
    it('grant a role a whole row with one choice, hide a field completely, and copy the role', async () => {
      const { id } = recordIn(await fixture.api().post('/Role', { name: 'Sales' }));
      const { page, expectNoProblems } = await fixture.visit(`/people/roles/${id}`);
      await expectHeading(page, 'Sales');
      await expectPage(page.getByLabel('External Account: Access')).toHaveCount(0);
      await page.getByLabel('Contact: Access', { exact: true }).selectOption('Team');
      await expectPage(page.getByLabel('Contact: Delete', { exact: true })).toHaveValue('team');
      await page.getByLabel('Contact: Delete', { exact: true }).selectOption('No');
      await expectPage(page.getByLabel('Contact: Access', { exact: true })).toHaveValue('yes');
      await page.getByLabel('Entity type', { exact: true }).selectOption('Account');
      await page.getByLabel('Website: Read').selectOption('No');
      await expectPage(page.getByLabel('Website: Edit')).toHaveValue('no');
      await expectPage(page.getByLabel('Website: Edit')).toBeDisabled();
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('0 changes')).toBeVisible();

      await page.getByRole('button', { name: 'Copy role' }).click();
      await expectHeading(page, 'Copy of Sales');
      const copy = recordIn(await fixture.api().get(`/Role/${page.url().split('/').at(-1)}`));
      expect(copy).toMatchObject({
        data: {
          Contact: { create: 'yes', read: 'team', edit: 'team', delete: 'no', stream: 'team' },
        },
        fieldData: { Account: { website: { read: 'no', edit: 'no' } } },
      });
      expectNoProblems();
    });

    it('create a role that starts with the permissions of a sales team', async () => {
      const { page, expectNoProblems } = await fixture.visit('/people/new/roles');
      await page.getByRole('textbox', { name: 'Name' }).fill('Sales Berlin');
      await page.getByRole('radio', { name: 'Read only' }).check();
      await page.getByRole('radio', { name: 'Sales' }).check();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Sales Berlin');
      const role = recordIn(await fixture.api().get(`/Role/${page.url().split('/').at(-1)}`));
      expect(role).toMatchObject({
        assignmentPermission: 'team',
        data: {
          Opportunity: { create: 'yes', read: 'team', edit: 'team', delete: 'own' },
          Case: { create: 'no', read: 'all', edit: 'no', delete: 'no' },
          Calendar: true,
        },
      });
      await page.getByRole('button', { name: 'Copy role' }).waitFor();
      expectNoProblems();
    });

    it('offer only the user types that Annals supports', async () => {
      const { page } = await fixture.visit('/people/new/users');
      await expectHeading(page, 'New user');
      const types = page.getByLabel('Type', { exact: true }).getByRole('option');
      await expectPage(types).toHaveText(['', 'Regular', 'Administrator', 'API']);
    });
  });

  describe('the view of another user', () => {
    it('shows what the user sees and changes nothing, until the administrator ends it', async () => {
      const data = { Lead: { create: 'yes', read: 'own', edit: 'own', delete: 'no' } };
      const role = recordIn(await fixture.api().post('/Role', { name: 'Leads only', data }));
      const names = { userName: 'seen', lastName: 'Seen' };
      const user = { ...names, type: 'regular', password, rolesIds: [role.id] };
      const { id } = recordIn(await fixture.api().post('/User', user));
      await fixture.api().post('/Lead', { lastName: 'Hidden lead' });
      const shown = recordIn(
        await fixture.api().post('/Lead', { lastName: 'Own lead', assignedUserId: id }),
      );
      const { page, expectNoProblems } = await fixture.visit(`/people/users/${id}`);
      await page.getByRole('button', { name: 'View as this user' }).click();
      await expectPage(page.getByText('Viewing as seen')).toBeVisible();
      await expectHeading(page, 'Home');
      await page.getByRole('navigation').getByRole('link', { name: 'Leads' }).click();
      await expectHeading(page, 'Leads');
      await expectPage(page.getByRole('link', { name: 'Own lead' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Hidden lead' })).toHaveCount(0);
      await expectPage(page.getByRole('link', { name: 'Accounts' })).toHaveCount(0);
      await expectAccessible(page);

      await page.goto(`/records/Lead/${shown.id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Last name' }).fill('Changed');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('alert')).toContainText('nothing was changed');
      const after = recordIn(await fixture.api().get(`/Lead/${shown.id}`));
      expect(after['lastName']).toBe('Own lead');
      await page.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Stop viewing' }).click();
      await expectHeading(page, 'Users & access');
      await expectPage(page.getByText('Viewing as seen')).toHaveCount(0);
      await expectPage(page.getByRole('link', { name: 'Accounts' })).toBeVisible();
      expectNoProblems();
    });
  });
}
