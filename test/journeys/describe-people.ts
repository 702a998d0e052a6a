import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const password = 'correct horse battery';

/** Creates a user with one role and returns their credentials and both ids. */
async function makePerson(fixture: ConsoleFixture, userName: string, role: object) {
  const { id: roleId } = recordIn(
    await fixture.api().post('/Role', { name: `Role of ${userName}`, ...role }),
  );
  const user = { userName, lastName: userName, type: 'regular', password, rolesIds: [roleId] };
  const { id } = recordIn(await fixture.api().post('/User', user));
  return { id, roleId, userName, password };
}

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

export function describePeople(fixture: ConsoleFixture): void {
  describe('the administration of users and access', () => {
    it('hides a field from a signed-in user as soon as a role restricts it', async () => {
      const person = await makePerson(fixture, 'reader', { data: { Account: all } });
      const { id } = recordIn(
        await fixture.api().post('/Account', { name: 'Closed', website: 'https://secret.example' }),
      );
      const restrictedVisit = await fixture.open(`/records/Account/${id}`);
      await signIn(restrictedVisit.page, person);
      await expectPage(restrictedVisit.page.getByText('secret.example')).toBeVisible();

      const { page, expectNoProblems } = await fixture.visit('/people?tab=roles');
      await page.getByRole('link', { name: 'Role of reader' }).click();
      await expectHeading(page, 'Role of reader');
      await page.getByLabel('Entity type', { exact: true }).selectOption('Account');
      await page.getByLabel('Website: Read').selectOption('no');
      await page.getByRole('button', { name: 'Review and save' }).click();
      const row = page.getByRole('dialog').getByRole('row', { name: 'Account · Website · Read' });
      await expectPage(row.getByRole('cell')).toHaveText(['Not set', 'No']);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('0 changes')).toBeVisible();

      await restrictedVisit.page.getByRole('link', { name: 'Accounts' }).click();
      await restrictedVisit.page.getByRole('button', { name: 'Columns' }).click();
      await expectPage(restrictedVisit.page.getByLabel('Type', { exact: true })).toBeVisible();
      await expectPage(restrictedVisit.page.getByLabel('Website')).toHaveCount(0);
      await restrictedVisit.page.keyboard.press('Escape');
      await restrictedVisit.page.getByRole('link', { name: 'Closed' }).click();
      await expectHeading(restrictedVisit.page, 'Closed');
      await expectPage(restrictedVisit.page.getByText('secret.example')).toHaveCount(0);
      await restrictedVisit.page.getByRole('button', { name: 'Edit' }).click();
      await expectPage(
        restrictedVisit.page.getByRole('textbox', { name: 'Phone number', exact: true }),
      ).toBeVisible();
      await expectPage(restrictedVisit.page.getByLabel('Website')).toHaveCount(0);

      await page.goto(`/people/users/${person.id}?tab=rights`);
      const closed = page.getByRole('table', { name: 'Restricted fields' });
      await expectPage(closed.getByRole('row', { name: 'Account: Website' })).toContainText('No');
      restrictedVisit.expectNoProblems();
      expectNoProblems();
    });

    it('grants access in the role matrix and lists the user as a reader of the record', async () => {
      const person = await makePerson(fixture, 'grantee', {});
      const { id } = recordIn(await fixture.api().post('/Lead', { lastName: 'Seen by few' }));
      const { page, expectNoProblems } = await fixture.visit(
        `/people?tab=access&entity=Lead&id=${id}`,
        { expectedStatuses: [400] },
      );
      const users = page.getByRole('table', { name: 'Who can see a record' });
      await expectPage(users.getByRole('link', { name: 'admin' })).toBeVisible();
      await expectPage(users.getByRole('link', { name: 'grantee' })).toHaveCount(0);

      await page.goto(`/people/roles/${person.roleId}`);
      await page.getByLabel('Lead: Access', { exact: true }).selectOption('yes');
      await page.getByLabel('Lead: Read', { exact: true }).selectOption('own');
      await page.getByLabel('Lead: Edit', { exact: true }).selectOption('all');
      await page.getByRole('button', { name: 'Review and save' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(dialog.getByRole('alert')).toContainText('raise *read* to *all*');
      await page.keyboard.press('Escape');
      await page.getByLabel('Lead: Read', { exact: true }).selectOption('all');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByText('0 changes')).toBeVisible();

      await page.goto(`/people?tab=access&entity=Lead&id=${id}`);
      await expectPage(users.getByRole('link', { name: 'grantee' })).toBeVisible();
      expectNoProblems();
    });

    it('hides pages, names, counts and totals to which the API denies access', async () => {
      const own = { create: 'no', read: 'own', edit: 'own', delete: 'no', stream: 'own' };
      const person = await makePerson(fixture, 'restricted', { data: { Account: own } });
      const make = async (entity: string, values: object) =>
        recordIn(await fixture.api().post(`/${entity}`, values)).id;
      const ownAccount = await make('Account', { name: 'Scarce one', assignedUserId: person.id });
      const foreignAccount = await make('Account', { name: 'Scarce two' });
      await make('Contact', { lastName: 'Scarce contact', accountId: ownAccount });
      const { page, expectNoProblems } = await fixture.open('/records/Account?q=Scarce', {
        expectedStatuses: [403],
      });
      const answers: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/')) answers.push(response.text().catch(() => ''));
      });
      await signIn(page, person);
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Scarce two' })).toHaveCount(0);
      const reachable = page.getByRole('navigation').getByRole('link');
      await expectPage(reachable.filter({ hasNotText: 'Accounts' })).toHaveText([
        'Home',
        'My recent changes',
        'Bin',
        'Users & access',
      ]);
      await page.getByRole('link', { name: 'Scarce one' }).click();
      await expectHeading(page, 'Scarce one');
      await expectPage(page.getByRole('tab')).toHaveText(['Fields', 'History']);
      await expectPage(page.getByRole('button', { name: 'API request' })).toHaveCount(0);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search records and pages').fill('Scarce');
      await expectPage(page.getByRole('dialog').getByText('Scarce one')).toBeVisible();
      await expectPage(page.getByRole('dialog').getByText(/Scarce (?:two|contact)/)).toHaveCount(0);
      await page.goto('/records/Contact');
      await expectHeading(page, 'No access');
      for (const path of ['/people/roles/role-full-access', '/definitions', '/webhooks']) {
        await page.goto(path);
        await expectHeading(page, 'Page not found');
      }
      await page.goto(`/records/Account/${foreignAccount}`);
      await expectHeading(page, 'No access');
      expect((await Promise.all(answers)).join()).not.toMatch(/Scarce (?:two|contact)/);
      expectNoProblems();
    });

    it('creates an API user whose key works and is shown only once', async () => {
      const { page, expectNoProblems } = await fixture.visit('/people');
      await page.getByRole('link', { name: 'New user' }).click();
      await expectHeading(page, 'New user');
      await page.getByLabel('Type', { exact: true }).selectOption('api');
      await page.getByLabel('User Name').fill('importer');
      await page.getByLabel('Authentication').selectOption('Hmac');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'importer');
      const shown = page.getByText(/^[0-9a-f]{32}$/);
      await expectPage(shown).toHaveCount(2);
      await page.getByRole('button', { name: 'Copy: Secret key' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await shown.nth(1).textContent(),
      );
      await page.getByRole('link', { name: 'Go to user' }).click();
      await expectPage(page.getByText('Programs sign their requests')).toBeVisible();
      await expectPage(shown).toHaveCount(0);

      await page.getByLabel('Authentication').selectOption('ApiKey');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(shown).toHaveCount(1);
      const before = await shown.textContent();
      await page.getByRole('button', { name: 'Generate new key' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByRole('button', { name: 'Generate new key' })).toBeDisabled();
      await dialog.getByLabel('Type importer to continue').fill('importer');
      await dialog.getByRole('button', { name: 'Generate new key' }).click();
      await expectPage(shown).not.toHaveText(before ?? '');
      const apiKey = (await shown.textContent()) ?? '';
      const { status } = await fixture.api().as(withApiKey({ apiKey })).get('/App/user');
      expect(status).toBe(200);
      await page.reload();
      await expectPage(
        page.getByText('Programs send this key in the X-Api-Key header'),
      ).toBeVisible();
      await expectPage(page.getByText(/^Last used: /)).toBeVisible();
      await expectPage(shown).toHaveCount(0);
      expectNoProblems();
    });

    it('shows what an API user does, and registers a webhook for it', async () => {
      const role = { name: 'Shop', data: { Webhook: true, Account: all } };
      const { id: roleId } = recordIn(await fixture.api().post('/Role', role));
      const user = { userName: 'shop-system', type: 'api', authMethod: 'ApiKey' };
      const { id } = recordIn(await fixture.api().post('/User', { ...user, rolesIds: [roleId] }));
      const path = `/people/users/${id}?tab=integration`;
      const { page, expectNoProblems } = await fixture.visit(path, { expectedStatuses: [403] });
      await expectPage(page.getByRole('table', { name: 'Access' })).toContainText(
        'No use recorded yet.',
      );
      await expectPage(page.getByText('This user has no webhooks.')).toBeVisible();
      await page.getByLabel('Entity type').selectOption('Account');
      await page.getByRole('combobox', { name: 'Event', exact: true }).fill('website');
      await page.getByRole('option', { name: 'Account.fieldUpdate.website' }).click();
      await expectPage(page.getByLabel('Body', { exact: true })).toContainText('"website"');
      await expectAccessible(page);
      await expectNarrow(page);
      await page.getByLabel('Entity type').selectOption('Contact');
      await expectPage(page.getByText('The user may not read these events.')).toBeVisible();
      await page.getByRole('button', { name: 'New webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Event').first().fill('Account.create');
      await dialog.getByLabel('URL').fill(fixture.receiver().url('/shop'));
      await expectPage(dialog.getByRole('combobox', { name: 'API user' })).toHaveValue(
        'shop-system',
      );
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expectHeading(page, 'Account.create');

      await page.goBack();
      const webhooks = page.getByRole('table', { name: 'Webhooks' });
      await expectPage(webhooks.getByRole('link', { name: 'Account.create' })).toBeVisible();
      await page.getByRole('link', { name: 'Show all' }).click();
      await expectHeading(page, 'System');
      expectNoProblems();
    });

    it('shows no data of the previous user after a new sign-in in a second tab', async () => {
      const person = await makePerson(fixture, 'neighbour', { data: { Contact: all } });
      const { page, context } = await fixture.open('/records/Account', {
        expectedStatuses: [401, 403],
      });
      await signIn(page, fixture.product().access().admin);
      await expectHeading(page, 'Accounts');
      const other = await context.newPage();
      await other.goto('/records/Contact');
      await other.getByRole('button', { name: 'Account menu for admin' }).click();
      await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await signIn(other, person);
      await page.getByRole('link', { name: 'Leads' }).click();
      await expectPage(
        page.getByRole('button', { name: 'Account menu for neighbour' }),
      ).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Accounts' })).toHaveCount(0);
    });
  });
}
