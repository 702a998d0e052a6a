import { describe, expect, it } from 'vitest';
import { recordIn } from '../support/api-client.ts';
import { expectAccessible, expectPage } from './browser.ts';
import { type ConsoleFixture, expectHeading, expectNarrow } from './use-console.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const found = { timeout: 20_000 };

export function describeHappened(fixture: ConsoleFixture): void {
  describe('past events of the log', () => {
    it('are filtered by record, type and time, and older ones are loaded', async () => {
      const hostile = '<img src=x onerror=alert(1)>';
      const { id } = recordIn(
        await fixture.api().post('/Account', { name: 'Logged', description: hostile }),
      );
      for (let change = 1; change <= 60; change++) {
        await fixture.api().patch(`/Account/${id}`, { name: `Change ${change}` });
      }
      const { page, expectNoProblems } = await fixture.visit(`/log?tab=past&id=${id}`);
      const table = page.getByRole('table', { name: 'Past events' });
      await expectPage(table.getByRole('row')).toHaveCount(51);
      await expectPage(table.getByRole('link', { name: 'Change 60' }).first()).toBeVisible();
      await page.getByRole('button', { name: 'Load older' }).click();
      await expectPage(table.getByRole('row')).toHaveCount(62);
      await expectPage(page.getByText('You have reached the oldest event.')).toBeVisible();
      await table.getByRole('button', { name: /^Details of .* 1$/ }).click();
      const drawer = page.getByRole('dialog', { name: 'Event' });
      await expectPage(drawer.getByRole('cell', { name: hostile })).toBeVisible();
      await page.keyboard.press('Escape');
      await expectPage(drawer).toBeHidden();
      await page.getByLabel('Action').selectOption('created');
      await expectPage(table.getByRole('row')).toHaveCount(2);
      await expectAccessible(page);
      await expectNarrow(page);

      await page.getByLabel('Before', { exact: true }).fill('01/31/2020 10:00');
      await page.keyboard.press('Enter');
      await expectPage(page.getByText('No matching events')).toBeVisible();
      expect(new URL(page.url()).searchParams.get('to')).toMatch(/^2020-01-31 /);
      await page.reload();
      await expectPage(page.getByLabel('Before', { exact: true })).toHaveValue(
        /^0?1\/31\/2020,? 10:00/,
      );
      await expectPage(page.getByText('No matching events')).toBeVisible();
      expectNoProblems();
    });
  });

  describe('the page "What happened"', () => {
    it('shows a request from its change to the response of the webhook, found by the search dialog', async () => {
      const url = fixture.receiver().url('/happened');
      const webhook = recordIn(await fixture.api().post('/Webhook', { event: 'Lead.create', url }));
      const lead = recordIn(
        await fixture.api().post('/Lead', { lastName: 'Traced' }, { traceparent }),
      );
      const { page, expectNoProblems } = await fixture.visit('/records/Account');
      await expectHeading(page, 'Accounts');
      // The search dialog is loaded after the page.
      await page
        .getByRole('button', { name: /^Search/ })
        .first()
        .click();
      await page.getByPlaceholder('Search records and pages').fill(traceId);
      await expectPage(page.getByText(`What happened: ${traceId}`)).toBeVisible();
      await page.keyboard.press('Enter');
      await expectHeading(page, 'What happened');
      const steps = page.getByRole('list', { name: 'What happened' }).getByRole('listitem');
      await expectPage(steps).toHaveCount(3, found);
      await expectPage(steps.nth(0)).toContainText('Traced');
      await expectPage(steps.nth(1)).toContainText(url);
      await expectPage(steps.nth(2)).toContainText('Attempt 1: 200');
      await expectAccessible(page);
      await expectNarrow(page);

      await page.getByLabel('ID or name', { exact: true }).fill(` ${lead.id} `);
      await page.keyboard.press('Enter');
      await expectPage(steps).toHaveCount(3, found);
      await steps.nth(0).getByRole('link', { name: traceId }).click();
      await expectPage(page.getByLabel('ID or name', { exact: true })).toHaveValue(traceId);
      await steps.nth(1).getByRole('link', { name: url }).click();
      await expectHeading(page, 'Lead.create');
      await page.goto(`/happened/${webhook.id}`);
      await expectPage(steps).toHaveCount(3, found);
      expectNoProblems();
    });

    it('shows why a request failed, and explains ids without steps', async () => {
      const { page, expectNoProblems } = await fixture.visit('/happened');
      const failed = traceparent.replace('4bf', 'fff');
      await fixture.api().post('/Account', { name: '' }, { traceparent: failed });
      const failedId = traceId.replace('4bf', 'fff');
      await page.getByLabel('ID or name', { exact: true }).fill(failedId);
      await page.getByRole('button', { name: 'Show' }).click();
      await expectPage(page.getByText('POST /api/v1/Account')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('ID or name', { exact: true }).fill('ab'.repeat(16));
      await page.keyboard.press('Enter');
      await expectPage(page.getByText('Nothing was stored')).toBeVisible();
      expectNoProblems();
    });

    it('finds records by their name', async () => {
      recordIn(await fixture.api().post('/Account', { name: 'Named Überlandwerk' }));
      const { page, expectNoProblems } = await fixture.visit('/happened', {
        expectedStatuses: [404],
      });
      await page.getByLabel('ID or name', { exact: true }).fill('uberland named');
      await page.keyboard.press('Enter');
      const named = page.getByRole('list', { name: 'Records' });
      await expectPage(named.getByRole('listitem')).toContainText('Account');
      await expectAccessible(page);
      await named.getByRole('link', { name: 'Named Überlandwerk' }).click();
      const steps = page.getByRole('list', { name: 'What happened' });
      await expectPage(steps).toContainText('Named Überlandwerk');
      await page.getByLabel('ID or name', { exact: true }).fill('missing');
      await page.keyboard.press('Enter');
      await expectPage(page.getByText('No matches')).toBeVisible();
      expectNoProblems();
    });
  });
}
