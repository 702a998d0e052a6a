import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading } from './use-console.ts';

/** Suspends the projector during `act`: changes reach the log, but reads do not see them. */
async function withSuspendedProjector(
  fixture: ConsoleFixture,
  act: () => Promise<void>,
): Promise<void> {
  fixture.product().kill('projector', 'SIGSTOP');
  try {
    await act();
  } finally {
    fixture.product().kill('projector', 'SIGCONT');
  }
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await expectPage(page.getByText('Still saving…')).toBeVisible();
}

export function describeSaving(fixture: ConsoleFixture): void {
  describe('saving while the read model is behind', () => {
    it('shows a new record as saved until it can be read', async () => {
      const { page, expectNoProblems } = await fixture.visit('/create/Account', {
        expectedStatuses: [404, 503],
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Delayed Ltd');
      await withSuspendedProjector(fixture, async () => {
        await save(page);
        await expectHeading(page, 'Delayed Ltd');
        await expectPage(page.getByText('Delayed Ltd is saved.')).toBeVisible();
        await page.getByRole('link', { name: 'Accounts' }).click();
        await expectHeading(page, 'Accounts');
        await expectPage(page.getByText('Delayed Ltd is saved.')).toBeVisible();
        await expectPage(page.getByRole('link', { name: 'Delayed Ltd' })).toHaveCount(0);
      });
      await expectPage(page.getByRole('link', { name: 'Delayed Ltd' })).toBeVisible();
      await expectPage(page.getByText('Delayed Ltd is saved.')).toHaveCount(0);
      const { body } = await fixture.api().get('/Account?q=Delayed&select=name');
      expect(body).toMatchObject({ list: [{ name: 'Delayed Ltd' }] });
      expectNoProblems();
    });

    it('shows a change as saved and blocks a second one until the first is readable', async () => {
      const { id } = recordIn(await fixture.api().post('/Account', { name: 'Before' }));
      const { page, expectNoProblems } = await fixture.visit(`/records/Account/${id}`, {
        expectedStatuses: [503],
      });
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('After');
      await withSuspendedProjector(fixture, async () => {
        await save(page);
        await expectPage(page.getByText('Before is saved.')).toBeVisible();
        await expectPage(page.getByRole('button', { name: 'Edit' })).toBeDisabled();
        await expectPage(page.getByRole('button', { name: 'Change Name' })).toHaveCount(0);
        await expectPage(page.getByRole('alert')).toHaveCount(0);
      });
      await expectHeading(page, 'After');
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Later');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Later');
      expectNoProblems();
    });

    it('writes only once if the same input is saved again after a lost response', async () => {
      const { page } = await fixture.visit('/create/Account');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Only once');
      await page.route('**/api/v1/Account', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await expectPage(page.getByRole('alert')).toContainText('The server or the network');
      await page.unroute('**/api/v1/Account');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectHeading(page, 'Only once');
      const { body } = await fixture.api().get('/Account?q=Only%20once&select=name');
      expect(body).toMatchObject({ list: [{ name: 'Only once' }] });
    });
  });
}
