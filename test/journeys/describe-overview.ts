import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

/** Has to run before other journeys of the fixture create records. */
export function describeOverview(fixture: ConsoleFixture): void {
  describe('the overview page', () => {
    it('shows what is set up and what to do next, and no charts without records', async () => {
      const { page, expectNoProblems } = await fixture.visit('/overview');
      await expectHeading(page, 'Overview');
      const steps = page.locator('section').filter({
        has: page.getByRole('heading', { name: 'Next steps', exact: true }),
      });
      const done = steps.getByRole('img', { name: 'Done' });
      await expectPage(steps.getByRole('listitem')).toHaveCount(5);
      await expectPage(done).toHaveCount(1);
      await expectPage(page.getByText('appear here as soon as there are records')).toBeVisible();
      await expectPage(page.getByRole('heading', { name: 'API responses' })).toHaveCount(0);
      await expectAccessible(page);
      await expectNarrow(page);
      await steps.getByRole('link', { name: 'New Account' }).click();
      await expectHeading(page, 'New Account');

      recordIn(await fixture.api().post('/Account', { name: 'First' }));
      await page.goto('/overview');
      await expectPage(page.getByRole('heading', { name: 'API responses' })).toBeVisible();
      await expectPage(done).toHaveCount(2);
      const stored = page.waitForResponse(/Preferences/);
      await steps.getByRole('button', { name: 'Hide' }).click();
      await expectPage(steps).toHaveCount(0);
      expect((await stored).status()).toBe(200);
      await page.reload();
      await expectPage(page.getByRole('heading', { name: 'API responses' })).toBeVisible();
      await expectPage(steps).toHaveCount(0);
      // The preference is kept for the user, whom all journeys share.
      await fixture.api().put('/Preferences/admin', { 'annals-overview': null });
      expectNoProblems();
    });

    it('shows sentences, tables and links for the range in the URL', async () => {
      recordIn(await fixture.api().post('/Account', { name: 'Counted' }));
      const { page, expectNoProblems } = await fixture.visit('/overview?range=1h');
      await expectHeading(page, 'Overview');
      const heading = page.getByRole('heading', { name: 'Changes', exact: true });
      const changes = page.locator('section').filter({ has: heading });
      await expectPage(
        changes.getByText(/^Changes: (?:no data yet|.+ now, peak .+)$/),
      ).toBeVisible();
      await changes.getByText('Show as table').click();
      await expectPage(changes.getByRole('columnheader', { name: 'Time' })).toBeVisible();
      await page.getByText('7 days', { exact: true }).click();
      await expectPage(page).toHaveURL(/range=7d$/);
      await page.goBack();
      await expectPage(page).toHaveURL(/range=1h$/);
      await page.getByRole('link', { name: /^4xx: / }).click();
      await expectPage(page.getByRole('tab', { name: 'Audit', selected: true })).toBeVisible();
      await expectPage(page.getByLabel('Category')).toHaveValue('signIn');
      expectNoProblems();
    });
  });
}
