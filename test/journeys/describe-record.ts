import { describe, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import type { ConsoleFixture } from './use-console.ts';

const phones = [
  { phoneNumber: '+4930123456', type: 'Office', primary: false, optOut: false, invalid: false },
  { phoneNumber: '+491711004999', type: 'Mobile', primary: true, optOut: true, invalid: false },
];

export function describeRecord(fixture: ConsoleFixture): void {
  describe('a record', () => {
    it('shows the differences between versions by field', async () => {
      const api = fixture.api();
      const { id: accountId } = recordIn(await api.post('/Account', { name: 'Linked later' }));
      const { id } = recordIn(await api.post('/Contact', { lastName: 'Versions' }));
      await api.patch(`/Contact/${id}`, { phoneNumberData: phones, accountId });
      const { page, expectNoProblems } = await fixture.visit(`/records/Contact/${id}?tab=time`);
      const table = page.getByRole('table', { name: 'Differences between two versions' });
      const phone = table.getByRole('row').filter({
        has: page.getByRole('rowheader', { name: /^Phone/ }),
      });
      await expectPage(phone.getByRole('link', { name: '+491711004999' })).toBeVisible();
      await expectPage(phone.getByText('Mobile')).toBeVisible();
      await expectPage(table.getByRole('link', { name: 'Linked later' }).first()).toBeVisible();
      await expectPage(table.getByText('[{')).toHaveCount(0);
      await table.getByRole('button', { name: /^Restore Phone/ }).click();
      await expectPage(page.getByText('Version 3 of 3')).toBeVisible();
      await expectPage(phone.getByRole('link')).toHaveCount(2);
      await expectPage(page.getByRole('tabpanel').getByText('Opted out')).toHaveCount(1);
      await expectAccessible(page);
      expectNoProblems();
    });

    it('shows all phone numbers and e-mail addresses with their kinds and flags', async () => {
      const emailAddressData = [
        { emailAddress: 'first@x.org', primary: true, optOut: false, invalid: false },
        { emailAddress: 'second@x.org', primary: false, optOut: false, invalid: true },
      ];
      const created = await fixture.api().post('/Contact', {
        lastName: 'Several Numbers',
        phoneNumberData: phones,
        emailAddressData,
      });
      const { page, expectNoProblems } = await fixture.visit(
        `/records/Contact/${recordIn(created).id}`,
      );
      await expectPage(page.getByRole('link', { name: 'second@x.org' })).toBeVisible();
      await expectPage(page.getByText('Invalid', { exact: true })).toBeVisible();
      await expectPage(page.getByRole('link', { name: '+491711004999' })).toBeVisible();
      await expectPage(page.getByText('Office', { exact: true })).toBeVisible();
      await expectPage(page.getByText('Opted out', { exact: true })).toBeVisible();
      await expectAccessible(page);

      await page.goto('/records/Contact?columns=name,phoneNumber');
      const row = page.getByRole('row').filter({ hasText: 'Several Numbers' });
      await expectPage(row.getByText('1 more', { exact: true })).toBeAttached();
      expectNoProblems();
    });

    it('is starred, marked as overdue, and the origin of a new activity', async () => {
      const api = fixture.api();
      const overdue = {
        name: 'Starred deal',
        closeDate: '2020-01-31',
        stage: 'Proposal',
        amount: 10,
      };
      const { id } = recordIn(await api.post('/Opportunity', overdue));
      const { page, expectNoProblems } = await fixture.visit('/records/Opportunity');
      const row = page.getByRole('row').filter({ hasText: 'Starred deal' });
      await expectPage(row.getByText('Overdue', { exact: true })).toBeVisible();
      await row.getByRole('link', { name: 'Starred deal' }).click();
      await expectPage(page.getByText('Overdue', { exact: true })).toBeVisible();
      const star = page.getByRole('button', { name: 'Star', exact: true });
      await expectPage(star).toHaveAttribute('aria-pressed', 'false');
      await star.click();
      await expectPage(star).toHaveAttribute('aria-pressed', 'true');
      // Away from the button, whose tooltip is outside the landmarks.
      await page.mouse.move(700, 600);
      await expectPage(page.getByText('Remove star', { exact: true })).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'New Meeting' }).click();
      const parent = page.getByRole('combobox', { name: 'Related to' }).last();
      await expectPage(parent).toHaveValue('Starred deal');
      await page.goto('/records/Opportunity?filter=starred');
      await expectPage(page.getByRole('link', { name: 'Starred deal' })).toBeVisible();
      await expectPage(page.getByText('1 record', { exact: true })).toBeVisible();
      await page.goto(`/records/Opportunity/${id}`);
      await star.click();
      await expectPage(star).toHaveAttribute('aria-pressed', 'false');
      expectNoProblems();
    });

    it('creates a linked record from the related list, which can be searched and sorted', async () => {
      const api = fixture.api();
      const { id } = recordIn(await api.post('/Account', { name: 'Related' }));
      for (const lastName of ['Alpha', 'Beta']) {
        await api.post('/Contact', { lastName, accountId: id });
      }
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      await page.getByRole('tab', { name: 'Contacts 2' }).click();
      await page.getByRole('link', { name: 'New linked Contact' }).click();
      await expectPage(page.getByRole('combobox', { name: 'Account' })).toHaveValue('Related');
      await page.getByLabel('Last Name').fill('Gamma');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('heading', { level: 1, name: 'Gamma' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Related' }).first()).toBeVisible();

      await page.goto(`/records/Account/${id}?tab=link-contacts`);
      await expectPage(page.getByRole('tab', { name: 'Contacts 3' })).toBeVisible();
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      const rows = page.getByRole('table', { name: 'Contacts' }).getByRole('rowheader');
      await expectPage(rows).toHaveText(['Alpha', 'Beta', 'Gamma']);
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await expectPage(rows).toHaveText(['Gamma', 'Beta', 'Alpha']);
      await page.getByRole('searchbox', { name: 'Search Contacts' }).fill('Bet');
      await expectPage(rows).toHaveText(['Beta']);
      await page.reload();
      await expectPage(rows).toHaveText(['Beta']);
      await expectAccessible(page);
      expectNoProblems();
    });
  });
}
