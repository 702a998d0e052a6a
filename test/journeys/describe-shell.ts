import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleStand, expectHeading } from './use-console.ts';

export function describeShell(stand: ConsoleStand): void {
  describe('the shell', () => {
    it('says what of an address it does not understand, and shows the rest', async () => {
      const { page, expectNoTrouble } = await stand.visit(
        '/records/Account?sort=nothing&q=zzz&x=1',
      );
      await expectPage(page.getByText('could not be understood')).toContainText('sort, x');
      await expectPage(page.getByText('Nothing matches')).toBeVisible();
      expect(new URL(page.url()).search).toBe('?q=zzz');
      expectNoTrouble();
    });

    it('is used with the keyboard alone', async () => {
      recordIn(await stand.api().post('/Contact', { lastName: 'Keyboard' }));
      const { page, expectNoTrouble } = await stand.visit('/records/Account');
      await expectHeading(page, 'Accounts');
      await page.keyboard.press('?');
      await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await expectPage(page.getByRole('searchbox')).toBeFocused();
      await page.keyboard.press('Control+k');
      await expectPage(page.getByPlaceholder('Search records and pages')).toBeFocused();
      await page.keyboard.type('Keyboard');
      await expectPage(page.getByText('Contact', { exact: true })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expectPage(page.getByRole('heading', { level: 1, name: 'Keyboard' })).toBeFocused();
      expectNoTrouble();
    });

    it.each(['light', 'dark'] as const)(
      'has no fault that axe finds, %s',
      async (colorScheme) => {
        const { id } = recordIn(
          await stand.api().post('/Account', { name: `Seen ${colorScheme}`, type: 'Customer' }),
        );
        const webhook = recordIn(
          await stand
            .api()
            .post('/Webhook', { event: 'Account.update', url: stand.receiver().url('/seen') }),
        );
        await stand.api().post(`/Webhook/${webhook.id}/test`);
        const anonymous = await stand.open('/', { colorScheme });
        await anonymous.page.getByLabel('User name').waitFor();
        await expectAccessible(anonymous.page);
        const { page, expectNoTrouble } = await stand.visit('/', { colorScheme });
        for (const path of [
          '/records/Account',
          '/records/Case',
          '/create/Opportunity',
          `/records/Account/${id}`,
          `/records/Account/${id}?mode=edit`,
          `/records/Account/${id}?tab=time`,
          `/records/Account/${id}?tab=stream`,
          `/records/Account/${id}?tab=link-contacts`,
          '/webhooks',
          `/webhooks/${webhook.id}`,
          `/webhooks/${webhook.id}?tab=deliveries`,
          `/webhooks/${webhook.id}?tab=replay`,
          `/webhooks/${webhook.id}?tab=verify`,
          '/people',
          '/people?tab=teams',
          '/people?tab=roles',
          `/people?tab=access&entity=Account&id=${id}`,
          '/people/new/users',
          '/people/users/user?tab=rights',
          '/people/users/api-hmac',
          '/people/roles/role-full-access',
          '/people/roles/role-full-access?tab=members',
          '/definitions',
          '/definitions?tab=diagram&focus=Account',
          '/definitions/Account',
          '/definitions/Account?tab=links',
          '/definitions/Account?tab=links&mode=new',
          '/definitions/Account?tab=events',
          '/definitions/Account?mode=new',
          '/log',
          '/log?tab=topics',
          '/log?tab=rejected',
          '/system',
          '/system?tab=settings',
          '/system?tab=audit',
          '/overview',
        ]) {
          await page.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await expectPage(page.locator('.mantine-Skeleton-root'), path).toHaveCount(0);
          await expectAccessible(page);
        }
        expectNoTrouble();
      },
      180_000,
    );

    it('fits on 360 pixels', async () => {
      const { page, expectNoTrouble } = await stand.visit('/records/Account', { width: 360 });
      await expectHeading(page, 'Accounts');
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
      await page.getByRole('button', { name: 'Show or hide navigation' }).click();
      await page.getByRole('link', { name: 'Contacts' }).click();
      await expectHeading(page, 'Contacts');
      expectNoTrouble();
    });

    it('speaks German', async () => {
      const { page, expectNoTrouble } = await stand.visit('/records/Account');
      await page.getByRole('button', { name: 'Account of admin' }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await expectPage(page.getByRole('button', { name: 'Spalten' })).toBeVisible();
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      expectNoTrouble();
    });

    it('says that the server is away, and comes back by itself', async () => {
      const opened = await stand.visit('/records/Account');
      const { page } = opened;
      await expectHeading(page, 'Accounts');
      stand.product().kill('api');
      await page.getByRole('link', { name: 'Contacts' }).click();
      await expectPage(page.getByText('Annals does not answer')).toBeVisible();
      await stand.product().waitUntilReady('api');
      await expectPage(
        page.getByRole('table').or(page.getByText('There are no records')),
      ).toBeVisible({
        timeout: 30_000,
      });
    });
  });
}
