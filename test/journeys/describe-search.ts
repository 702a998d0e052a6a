import { beforeAll, describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

export function describeSearch(fixture: ConsoleFixture): void {
  describe('a search', () => {
    beforeAll(async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Alpenbau' }));
      for (const [firstName, lastName, phoneNumber, accountId] of [
        ['Jana', 'Müller-Lüdenscheidt', '+49 171 1004999', id],
        ['Jana', 'Weber', '+49 171 2004999', null],
      ]) {
        recordIn(await api.post('/Contact', { firstName, lastName, phoneNumber, accountId }));
      }
    });

    it.each([
      ['the second part of a name, without accents', 'ludensch'],
      ['the digits of a phone number as people write them', '0171 100'],
    ])('finds a contact in a list by %s', async (_title, text) => {
      const { page, expectNoProblems } = await fixture.visit('/records/Contact');
      await expectPage(page.getByRole('link', { name: 'Jana Weber' })).toBeVisible();
      await page.getByRole('searchbox').fill(text);
      await expectPage(page.getByRole('link', { name: 'Jana Weber' })).toHaveCount(0);
      await expectPage(page.getByRole('link', { name: 'Jana Müller-Lüdenscheidt' })).toBeVisible();
      expectNoProblems();
    });

    it('shows the account of each hit in the palette, and opens the first hit with Enter', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      await expectHeading(page, 'Accounts');
      await page.keyboard.press('Control+k');
      const input = page.getByRole('dialog').getByRole('textbox');
      await input.fill('mull jana');
      const hit = page.locator('[data-action][data-selected]');
      await expectPage(hit).toHaveText('Jana Müller-LüdenscheidtContact · Alpenbau');
      await expectAccessible(page);
      await input.press('Enter');
      await expectHeading(page, 'Jana Müller-Lüdenscheidt');
      expectNoProblems();
    });

    it('offers commands and pages in the palette', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      await expectHeading(page, 'Accounts');
      await page.keyboard.press('Control+k');
      const input = page.getByRole('dialog').getByRole('textbox');
      await input.fill('new contact');
      await expectPage(page.locator('[data-action][data-selected]')).toHaveText('New Contact');
      await input.press('Enter');
      await expectHeading(page, 'New Contact');
      expectNoProblems();
    });

    it('suggests records in a form only while their input has the focus, and accepts no other text', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Contact');
      const requests: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() === 'GET' && /^\/api\/v1\/[A-Z]\w+$/.test(pathname))
          requests.push(pathname);
      });
      await page.reload();
      const account = page.getByRole('combobox', { name: 'Account', exact: true });
      await expectPage(account).toBeVisible();
      await page.getByRole('textbox', { name: 'Last name', exact: true }).fill('Picker');
      const lists = () => requests.filter((path) => /Account|Campaign|Team|User/.test(path));
      expect(lists()).toEqual([]);
      await account.fill('alp');
      await expectPage(page.getByRole('option', { name: 'Alpenbau' })).toBeVisible();
      expect(new Set(lists())).toEqual(new Set(['/api/v1/Account']));

      await page.getByRole('textbox', { name: 'Last name', exact: true }).focus();
      await expectPage(account).toHaveValue('alp');
      await expectPage(account).toHaveAccessibleDescription('Choose a record');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(account).toBeFocused();
      await expectHeading(page, 'New Contact');

      await account.fill('alpen');
      await page.getByRole('option', { name: 'Alpenbau' }).click();
      await expectPage(account).not.toHaveAttribute('aria-invalid', 'true');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Picker');
      await expectPage(page.getByRole('link', { name: 'Alpenbau' }).first()).toBeVisible();
      expectNoProblems();
    });

    it('selects the first match in an input for records, so that Enter picks it', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Opportunity');
      const account = page.getByRole('combobox', { name: 'Account', exact: true });
      const option = page.getByRole('option', { name: 'Alpenbau' });
      // Enter picks nothing and does not submit the form before the matches have arrived.
      await account.pressSequentially('alp');
      await account.press('Enter');
      await expectPage(option).toHaveAttribute('data-combobox-selected', 'true');
      await account.press('Enter');
      await expectPage(account).toHaveValue('Alpenbau');
      await account.fill('alpenb');
      await expectPage(option).toHaveAttribute('data-combobox-selected', 'true');
      await account.press('Enter');
      await expectPage(account).toHaveValue('Alpenbau');

      await page.goto('/create/Meeting');
      const contacts = page.getByRole('combobox', { name: 'Contacts', exact: true });
      await contacts.pressSequentially('weber jana');
      await expectPage(page.getByRole('option', { name: /Jana Weber/ })).toHaveAttribute(
        'data-combobox-selected',
        'true',
      );
      await contacts.press('Enter');
      await expectPage(page.getByText('Jana Weber').first()).toBeVisible();
      await expectPage(contacts).toHaveValue('');
      await expectHeading(page, 'New Meeting');
      expectNoProblems();
    });
  });
}
