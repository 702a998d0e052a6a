import type { Locator, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage, signIn } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const MAX_PRESSES = 100;

const isRailScrolling = `(() => {
  const rail = document.querySelector('nav .mantine-ScrollArea-viewport');
  return rail.scrollHeight > rail.clientHeight;
})()`;

export function describeShell(fixture: ConsoleFixture): void {
  describe('the shell', () => {
    it('reports the invalid parts of a URL and shows the rest', async () => {
      const { page, expectNoProblems } = await fixture.visit(
        '/records/Account?sort=nothing&q=zzz&x=1',
      );
      await expectPage(page.getByText('Ignored unknown parts of the link')).toContainText(
        'sort, x',
      );
      await expectPage(page.getByText('No matches')).toBeVisible();
      expect(new URL(page.url()).search).toBe('?q=zzz');
      expectNoProblems();
    });

    it.each([
      '/overview?range=zz',
      '/log?tab=zz',
      '/people?page=zz',
      '/definitions/Account?tab=zz',
      '/records/Account?where=zz',
      '/records/User/admin?version=zz',
    ])('reports an invalid URL on every page: %s', async (path) => {
      const { page, expectNoProblems } = await fixture.visit(path);
      await expectPage(page.getByText('Ignored unknown parts of the link')).toBeVisible();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      expectNoProblems();
    });

    it('can be used with the keyboard alone', async () => {
      recordIn(await fixture.api().post('/Contact', { lastName: 'Keyboard' }));
      const { page, expectNoProblems } = await fixture.open('/records/Account');
      await tabTo(page, page.getByLabel('User name'));
      await page.keyboard.type('admin');
      await tabTo(page, page.getByLabel('Password', { exact: true }));
      await page.keyboard.type(fixture.product().access().admin.password);
      await page.keyboard.press('Enter');
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
      await tabTo(page, page.getByRole('button', { name: 'Edit' }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Description'));
      await page.keyboard.type('Typed');
      await tabTo(page, page.getByRole('button', { name: 'Save' }));
      await page.keyboard.press('Enter');
      await expectPage(page.getByText('Typed', { exact: true })).toBeVisible();
      expectNoProblems();
    });

    it('passes axe, fits 360 pixels and shows labels instead of attribute names on every page', async () => {
      const account = recordIn(
        await fixture.api().post('/Account', { name: 'Seen', type: 'Customer' }),
      );
      const webhook = recordIn(
        await fixture
          .api()
          .post('/Webhook', { event: 'Account.update', url: fixture.receiver().url('/seen') }),
      );
      await fixture.api().post(`/Webhook/${webhook.id}/test`);
      const anonymous = await fixture.open('/');
      await anonymous.page.getByLabel('User name').waitFor();
      await expectAccessible(anonymous.page);
      await expectNarrow(anonymous.page);
      const { page, expectNoProblems } = await fixture.visit('/');
      for (const path of pagesOf({ account: account.id, webhook: webhook.id })) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expectPage(page.locator('.mantine-Skeleton-root'), path).toHaveCount(0);
        await expectAccessible(page);
        const named = await page.locator('th, label, nav a, h1, h2, [role=tab]').allTextContents();
        expect(named.filter(isRawName), path).toEqual([]);
        await expectNarrow(page, cells);
      }
      expectNoProblems();
    }, 480_000);

    it('shows the active tab on a narrow screen', async () => {
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Many tabs' }));
      const { page, expectNoProblems } = await fixture.visit(
        `/records/Account/${id}?tab=link-opportunities`,
        { width: 360 },
      );
      const active = page.getByRole('tab', { selected: true });
      await expectPage(active).toHaveText(/Opportunities/);
      await expectPage(active).toBeInViewport({ ratio: 1 });
      await page.getByRole('tab', { name: 'Fields' }).click();
      await page.goBack();
      await expectPage(active).toHaveText(/Opportunities/);
      await expectPage(active).toBeInViewport({ ratio: 1 });
      expectNoProblems();
    });

    it('refers a user without a role to an administrator and sends no forbidden requests', async () => {
      const user = { userName: 'newcomer', lastName: 'Newcomer', type: 'regular' };
      const password = 'correct horse battery';
      recordIn(await fixture.api().post('/User', { ...user, password }));
      const { page, expectNoProblems } = await fixture.open('/');
      await signIn(page, { userName: 'newcomer', password });
      await expectHeading(page, 'Welcome');
      await expectPage(page.getByText('Ask an administrator for access')).toBeVisible();
      await expectPage(page.getByRole('navigation').getByRole('link')).toHaveText([
        'Users & access',
      ]);
      await expectAccessible(page);
      await expectNarrow(page);
      expectNoProblems();
    });

    it('offers the API documentation to users whose role includes it', async () => {
      const password = 'correct horse battery';
      const read = { create: 'no', read: 'all', edit: 'no', delete: 'no', stream: 'no' };
      const data = { Account: read, OpenApi: true };
      const role = recordIn(await fixture.api().post('/Role', { name: 'Programmer', data }));
      const user = { userName: 'programmer', lastName: 'Programmer', type: 'regular' };
      recordIn(await fixture.api().post('/User', { ...user, password, rolesIds: [role.id] }));
      const { page, expectNoProblems } = await fixture.open('/');
      await signIn(page, { userName: 'programmer', password });
      await expectHeading(page, 'Home');
      await page.goto('/records/Account');
      await page.getByRole('button', { name: 'More actions' }).click();
      await expectPage(page.getByRole('menuitem', { name: 'API request' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'API documentation' })).toBeVisible();
      expectNoProblems();
    });

    it('can be navigated on a 360-pixel screen, which shows each record in two lines', async () => {
      await fixture.api().post('/Account', { name: 'Aardvark Cards', type: 'Customer' });
      const { page, expectNoProblems } = await fixture.visit('/records/Account?sort=name', {
        width: 360,
      });
      await expectPage(page.getByRole('cell').filter({ hasText: 'Aardvark Cards' })).toContainText(
        'Customer',
      );
      await expectHeading(page, 'Accounts');
      await page.getByRole('button', { name: 'Show or hide navigation' }).click();
      await page.getByRole('link', { name: 'Contacts' }).click();
      await expectHeading(page, 'Contacts');
      expectNoProblems();
    });

    it('collapses the navigation to icons, for the next visit as well', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      const navigation = page.getByRole('navigation');
      const widthOf = async () => (await navigation.boundingBox())?.width ?? 0;
      await page.getByRole('button', { name: 'Collapse navigation' }).click();
      await expectPage.poll(widthOf).toBeLessThan(80);
      await page.reload();
      await expectPage.poll(widthOf).toBeLessThan(80);
      await expectAccessible(page);
      await navigation.getByRole('link', { name: 'Contacts' }).click();
      await expectHeading(page, 'Contacts');
      await page.getByRole('button', { name: 'Expand navigation' }).click();
      await expectPage.poll(widthOf).toBeGreaterThan(200);
      expectNoProblems();
    });

    it.each([
      { language: 'en_US', group: 'Administration', more: 'More', type: 'Campaigns' },
      { language: 'de_DE', group: 'Verwaltung', more: 'Mehr', type: 'Kampagnen' },
    ])(
      'shows the whole navigation at 1440 × 900 pixels, and remembers open groups ($language)',
      async ({ language, group, more, type }) => {
        const { user } = Object((await fixture.api().get('/App/user')).body);
        const choose = async (chosen: string) =>
          fixture.api().put(`/Preferences/${user.id}`, { language: chosen });
        await choose(language);
        try {
          const { page, expectNoProblems } = await fixture.visit('/home');
          await page.setViewportSize({ width: 1440, height: 900 });
          const navigation = page.getByRole('navigation');
          const administration = navigation.getByRole('button', { name: group });
          const link = (label: string) =>
            navigation.getByRole('link', { name: label, exact: true });
          await expectPage(administration).toHaveAttribute('aria-expanded', 'false');
          await expectPage(link('System')).toHaveCount(0);
          await expectPage(link(type)).toHaveCount(0);
          await expectPage(navigation.locator('a[href="/records/Account"]')).toBeVisible();
          expect(await page.evaluate(isRailScrolling)).toBe(false);

          await page.goto('/system');
          await expectPage(link('System')).toHaveAttribute('aria-current', 'page');
          expect(await page.evaluate(isRailScrolling)).toBe(false);
          await page.goto('/home');
          await expectPage(administration).toHaveAttribute('aria-expanded', 'false');

          const storing = page.waitForResponse((response) => response.request().method() === 'PUT');
          await navigation.getByRole('button', { name: more }).press('Space');
          await storing;
          await page.reload();
          await expectPage(link(type)).toBeVisible();
          await navigation.getByRole('button', { name: more }).press('Enter');
          await expectPage(link(type)).toHaveCount(0);
          await expectAccessible(page);
          expectNoProblems();
        } finally {
          await choose('en_US');
        }
      },
    );

    it('prints a page without navigation, buttons or inputs', async () => {
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Printed Ltd' }));
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`);
      await expectHeading(page, 'Printed Ltd');
      await page.emulateMedia({ media: 'print' });
      await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectPage(page.getByRole('navigation')).toBeHidden();
      await expectPage(page.getByRole('button', { name: 'Edit' })).toBeHidden();
      await expectPage(page.getByText('1 follower')).toBeVisible();
      await expectPage(page.getByText('Add follower')).toBeHidden();
      const { x } = (await page.getByRole('main').boundingBox()) ?? {};
      expect(x).toBe(0);
      expectNoProblems();
    });

    it('switches to German', async () => {
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      await page.getByRole('button', { name: 'Account menu for admin' }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await expectPage(page.getByRole('button', { name: 'Spalten' })).toBeVisible();
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      // The language is kept for the user, whom all journeys share.
      const stored = page.waitForResponse(
        (response) => response.request().postData()?.includes('en_US') === true,
      );
      await page.getByRole('menuitemradio', { name: 'English' }).click();
      await expectPage(page.getByRole('button', { name: 'Columns' })).toBeVisible();
      expect((await stored).status()).toBe(200);
      expectNoProblems();
    });

    it('reports that the server is unreachable and recovers automatically', async () => {
      const opened = await fixture.visit('/records/Account');
      const { page } = opened;
      await expectHeading(page, 'Accounts');
      fixture.product().kill('api');
      await page.getByRole('link', { name: 'Contacts' }).click();
      await expectPage(page.getByText("Can't reach Annals")).toBeVisible();
      await fixture.product().waitUntilReady('api');
      await expectPage(page.getByRole('table').or(page.getByText('No records yet'))).toBeVisible({
        timeout: 30_000,
      });
    });
  });
}

const pagesOf = ({ account, webhook }: { readonly account: string; readonly webhook: string }) => [
  '/home',
  '/calendar?view=week',
  '/recent',
  '/bin',
  '/records/Account',
  '/records/Case',
  '/create/Opportunity',
  `/records/Account/${account}`,
  `/records/Account/${account}?mode=edit`,
  `/records/Account/${account}?tab=time`,
  `/records/Account/${account}?tab=stream`,
  `/records/Account/${account}?tab=link-contacts`,
  '/webhooks',
  `/webhooks/${webhook}`,
  `/webhooks/${webhook}?account=shown`,
  `/webhooks/${webhook}?tab=deliveries`,
  `/webhooks/${webhook}?tab=replay`,
  `/webhooks/${webhook}?tab=verify`,
  '/people',
  '/people?tab=teams',
  '/people?tab=roles',
  `/people?tab=access&entity=Account&id=${account}`,
  '/people/new/users',
  '/people/users/user?tab=rights',
  '/people/users/api-hmac',
  '/people/roles/role-full-access',
  '/people/roles/role-full-access?tab=members',
  '/profile',
  '/definitions',
  '/definitions?tab=diagram&focus=Account',
  '/definitions/Account',
  '/definitions/Account?tab=links',
  '/definitions/Account?tab=links&mode=new',
  '/definitions/Account?tab=layouts',
  '/definitions/Account?tab=events',
  '/definitions/Account?mode=new',
  '/log',
  '/log?tab=topics',
  '/log?tab=rejected',
  '/system',
  '/system?tab=settings',
  '/system?tab=audit',
  '/overview',
];

/** Rows and cells, except in calendars, whose columns do not fit. */
const cells = 'main :is(tr, th, td):not(.fc *)';

/** True for an attribute name such as `assignedUser` in place of the label `Assigned User`. */
function isRawName(text: string): boolean {
  return /^[a-z]+[A-Z]\w*$/.test(text.trim());
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${target}`);
}
